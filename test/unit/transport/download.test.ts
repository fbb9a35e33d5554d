import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { download, type FileFormat } from '../../../nodes/ParcelShipping/transport/download';
import { Http } from '../../../nodes/ParcelShipping/transport/http';

const BASE = 'https://api.example.com';
const PDF = '%PDF-1.7 label';

type Limits = Partial<Parameters<typeof download>[4]>;

function bodyOf(content: string): Readable {
	if (content === 'never ends') return new Readable({ read: () => {} });
	if (content === 'drips') {
		const drip = async function* () {
			for (yield Buffer.from(PDF.padEnd(50_000)); ; yield Buffer.from('x'.repeat(1_000))) {
				await new Promise((resolve) => setTimeout(resolve, 1));
			}
		};
		return Readable.from(drip(), { objectMode: false });
	}
	return Readable.from([Buffer.from(content)], { objectMode: false });
}

/** Downloads /1, and returns the file and the addresses with the secret that each request had. */
async function load(
	responses: Record<string, string | { location: string }>,
	format: FileFormat,
	limits: Limits = {},
) {
	const requests: string[] = [];
	const request = async (options: { url: string }, isOwn: boolean) => {
		requests.push(`${options.url} ${isOwn ? 'with the secret' : 'without'}`);
		const found = responses[options.url] ?? '';
		const isRedirect = typeof found === 'object';
		return await Promise.resolve({
			statusCode: isRedirect ? 302 : 200,
			headers: isRedirect ? found : {},
			body: bodyOf(isRedirect ? '' : found),
		});
	};
	class FileHttp extends Http {
		override async exchange(...[options, , secret]: Parameters<Http['exchange']>) {
			return await request(options, secret !== 'none');
		}
	}
	const credential = { baseUrl: '', authentication: 'query', queryValue: 'k3y-9' } as const;
	const http = new FileHttp({} as never, credential, { base: `${BASE}/api`, origin: BASE });
	const all = { graceMs: 60_000, maxMs: 600_000, maxBytes: 1e9, checkMs: 5_000, ...limits };
	const file = await download(http, `${BASE}/1`, format, async (stream) => buffer(stream), all);
	return { file: String(file), requests };
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

test('another host gets no secret of its address, and no request if it has one elsewhere', async () => {
	const other = 'https://files.example.net';
	const redirect = (location: string) => ({ [`${BASE}/1`]: { location }, [`${other}/2`]: PDF });
	const { requests } = await load(redirect(`${other}/2?apiKey=k3y-9`), 'pdf');
	expect(requests.at(-1)).toBe(`${other}/2 without`);
	await expect(load(redirect(`${other}/k3y-9/2`), 'pdf')).rejects.toThrow(
		'The link to the file would send the secret of the credential to files.example.net',
	);
});

const QUICK = { graceMs: 20, checkMs: 5 };

test.each<[string, string, Limits, string]>([
	['nothing arrives', 'never ends', QUICK, 'The file arrives too slowly'],
	['it never ends', 'drips', { ...QUICK, maxMs: 20 }, 'The file arrives too slowly'],
	['it is too large', PDF.repeat(2_000), { maxBytes: 20_000 }, 'The file is larger than 1 GB'],
])('a file is given up if %s', async (_, content, limits, message) => {
	await expect(load({ [`${BASE}/1`]: content }, 'pdf', limits)).rejects.toThrow(message);
});
