import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { download, type FileFormat } from '../../../nodes/ParcelShipping/transport/download';
import { Http } from '../../../nodes/ParcelShipping/transport/http';
import type { HttpResponse } from '../../../nodes/ParcelShipping/transport/response';
import type { ExchangeParameters } from '../../support/respondingClient';

const BASE = 'https://api.example.com';
const KEY = 'k3y-9f8e';
const PDF = '%PDF-1.7 label';

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

async function load(
	content: string,
	format: FileFormat,
	save: (stream: Readable) => Promise<Buffer> = buffer,
	maxBytes = 1e9,
) {
	class FileHttp extends Http {
		override async exchange<Result extends HttpResponse>(
			...[{ name, read }]: ExchangeParameters<Result>
		) {
			return await read({ statusCode: 200, headers: {}, body: bodyOf(content) }, name);
		}
	}
	const credential = { baseUrl: `${BASE}/api`, authentication: 'query', queryValue: KEY } as const;
	const http = new FileHttp({} as never, credential);
	const limits = { deadlineMs: 600_000, maxBytes };
	return String(await download(http, `${BASE}/1`, format, save, limits));
}

test.each<[FileFormat, string]>([
	['pdf', PDF],
	['pdf', `\ufeff\n${PDF}`],
	['zpl', `^XA^FDŽofie${'x'.repeat(200)}^XZ`],
])('a label file (%s) is saved completely: %j', async (format, content) => {
	expect(await load(content, format)).toBe(content);
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
	await expect(load(content, format)).rejects.toThrow(message);
});

test('a file that is too large is given up', async () => {
	const loading = load(PDF.repeat(2_000), 'pdf', buffer, 20_000);
	await expect(loading).rejects.toThrow('The file is larger than 1 GB');
});

test('nothing is saved if the connection breaks, or if n8n cannot save the file', async () => {
	const broken = { code: 'ECONNRESET' };
	await expect(load('breaks', 'pdf')).rejects.toMatchObject(broken);
	const atOnce = async () => Promise.reject(new Error('ENOSPC: no space left'));
	const later = async (stream: Readable): Promise<never> => {
		for await (const _ of stream) throw new Error('ENOSPC: no space left');
		throw new Error('empty');
	};
	for (const save of [atOnce, later]) {
		const saving = load('drips', 'pdf', save);
		await expect(saving).rejects.toThrow('n8n could not save the file: ENOSPC');
	}
});
