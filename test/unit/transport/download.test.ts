import { download, type FileFormat } from '../../../nodes/ParcelShipping/transport/download';
import { Http } from '../../../nodes/ParcelShipping/transport/http';

const BASE = 'https://api.example.com';
const PDF = '%PDF-1.7 label';

/** Downloads /1, and returns the file and the addresses with the secret that each request had. */
async function load(responses: Record<string, string | { location: string }>, format: FileFormat) {
	const requests: string[] = [];
	class FileHttp extends Http {
		override async exchange(...[{ url }, , secret]: Parameters<Http['exchange']>) {
			requests.push(`${url} ${secret === 'none' ? 'without' : 'with the secret'}`);
			const found = responses[url] ?? '';
			const response =
				typeof found === 'object'
					? { statusCode: 302, headers: found, body: Buffer.alloc(0) }
					: { statusCode: 200, headers: {}, body: Buffer.from(found) };
			return await Promise.resolve(response);
		}
	}
	const credential = { baseUrl: '', authentication: 'query', queryValue: 'k3y-9' } as const;
	const http = new FileHttp({} as never, credential, { base: `${BASE}/api`, origin: BASE });
	return { file: String(await download(http, `${BASE}/1`, format)), requests };
}

test.each<[FileFormat, string]>([
	['pdf', PDF],
	['pdf', `\ufeff\n${PDF}`],
	['zpl', `^XA^FDŽofie${'x'.repeat(200)}^XZ`],
])('a label file (%s) is saved completely: %j', async (format, content) => {
	expect((await load({ [`${BASE}/1`]: content }, format)).file).toBe(content);
});

test.each<[string, FileFormat, string]>([
	['a web page', 'pdf', '<html>Sign in</html>'],
	['a message in JSON', 'pdf', '{"errors":[]}'],
	['an empty file', 'pdf', ''],
	['another kind of file', 'pdf', '^XA^XZ'],
	['a web page', 'zpl', '<html>^XA</html>'],
	['another kind of file', 'zpl', PDF],
])('%s is not saved as a label file (%s)', async (_, format, content) => {
	const message = `The service did not return a ${format.toUpperCase()} file`;
	await expect(load({ [`${BASE}/1`]: content }, format)).rejects.toThrow(message);
});

test("a redirect to another host gets no secret, one of the service's own does", async () => {
	const other = 'https://files.example.net/2';
	const responses = {
		...{ [`${BASE}/1`]: { location: '/own' }, [`${BASE}/own`]: { location: other } },
		[other]: PDF,
	};
	const { requests } = await load(responses, 'pdf');
	const own = [`${BASE}/1 with the secret`, `${BASE}/own with the secret`];
	expect(requests).toEqual([...own, `${other} without`]);
	const unprotected = { [`${BASE}/1`]: { location: 'http://files.example.net/2' } };
	await expect(load(unprotected, 'pdf')).rejects.toThrow('not a usable web address');
});
