import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { download, type FileFormat } from '../../../nodes/ParcelShipping/transport/download';
import { Http } from '../../../nodes/ParcelShipping/transport/http';
import type { HttpResponse } from '../../../nodes/ParcelShipping/transport/response';
import type { ExchangeParameters } from '../../support/respondingClient';

const BASE = 'https://api.example.com';
const KEY = 'k3y-9f8e';
const PDF = '%PDF-1.7 label';

type Limits = Partial<Parameters<typeof download>[4]>;

function bodyOf(content: string): Readable {
	if (content === 'drips' || content === 'breaks') {
		const drip = async function* () {
			for (yield Buffer.from(PDF); ; yield Buffer.from('x')) {
				if (content === 'breaks') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
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
	save: (stream: Readable) => Promise<Buffer> = buffer,
) {
	const requests: string[] = [];
	class FileHttp extends Http {
		override async exchange<Result extends HttpResponse>(
			...[{ url, name, read }, secret]: ExchangeParameters<Result>
		) {
			requests.push(`${url} ${secret ? 'with the secret' : 'without'}`);
			const found = responses[url] ?? '';
			const [statusCode, headers, body] =
				typeof found === 'object' ? [302, found, ''] : [200, {}, found];
			return await read({ statusCode, headers, body: bodyOf(body) }, name);
		}
	}
	const credential = { baseUrl: '', authentication: 'query', queryValue: KEY } as const;
	const http = new FileHttp({} as never, credential, { base: `${BASE}/api`, origin: BASE });
	const all = { graceMs: 60_000, maxMs: 600_000, maxBytes: 1e9, ...limits };
	const file = await download(http, `${BASE}/1`, format, save, all);
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
	const message = `The provider did not return a ${format.toUpperCase()} file`;
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
	await expect(load(unprotected, 'pdf')).rejects.toThrow('not a usable web address with https');
});

test('another host gets no request if its address has the secret', async () => {
	const location = `https://files.example.net/2?apiKey=${KEY}`;
	await expect(load({ [`${BASE}/1`]: { location } }, 'pdf')).rejects.toThrow(
		'The link to the file would send the secret of the credential to files.example.net',
	);
});

test.each<[string, string, Limits, string]>([
	['it drips without an end', 'drips', { graceMs: 20 }, 'The file arrives too slowly'],
	['it is too large', PDF.repeat(2_000), { maxBytes: 20_000 }, 'The file is larger than 1 GB'],
])('a file is given up if %s', async (_, content, limits, message) => {
	await expect(load({ [`${BASE}/1`]: content }, 'pdf', limits)).rejects.toThrow(message);
});

test('nothing is saved if the connection breaks, or if n8n cannot save the file', async () => {
	const broken = { code: 'ECONNRESET' };
	await expect(load({ [`${BASE}/1`]: 'breaks' }, 'pdf')).rejects.toMatchObject(broken);
	const atOnce = async () => Promise.reject(new Error('ENOSPC: no space left'));
	const later = async (stream: Readable): Promise<never> => {
		for await (const _ of stream) throw new Error('ENOSPC: no space left');
		throw new Error('empty');
	};
	for (const save of [atOnce, later]) {
		const saving = load({ [`${BASE}/1`]: 'drips' }, 'pdf', {}, save);
		await expect(saving).rejects.toThrow('n8n could not save the file: ENOSPC');
	}
});
