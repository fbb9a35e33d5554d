import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import {
	download,
	type FileFormat,
	type FileSource,
} from '../../../nodes/ParcelShipping/transport/download';

const BASE = 'https://api.example.com';
const PDF = '%PDF-1.7 label';

/** Downloads /1, and returns the file and the addresses with the secret that each request had. */
async function load(
	responses: Record<string, string | { location: string }>,
	format: FileFormat,
	maxMs?: number,
) {
	const requests: string[] = [];
	const request = async (options: { url: string }, isOwn: boolean) => {
		requests.push(`${options.url} ${isOwn ? 'with the secret' : 'without'}`);
		const found = responses[options.url] ?? '';
		const isRedirect = typeof found === 'object';
		return await Promise.resolve({
			statusCode: isRedirect ? 302 : 200,
			headers: isRedirect ? found : {},
			body:
				found === 'never ends'
					? new Readable({ read: () => {} })
					: Readable.from([Buffer.from(isRedirect ? '' : found)], { objectMode: false }),
		});
	};
	const source: FileSource = {
		address: { base: `${BASE}/api`, origin: BASE },
		request,
		fail: (thrown: unknown) => {
			throw thrown;
		},
	};
	const file = await download(`${BASE}/1`, format, source, async (stream) => buffer(stream), maxMs);
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

test('a file of which nothing arrives is given up', async () => {
	const loading = load({ [`${BASE}/1`]: 'never ends' }, 'pdf', 20);
	await expect(loading).rejects.toThrow('The file did not arrive');
});
