import { Readable } from 'node:stream';

import { readBody, untilDeadline } from '../../../nodes/ParcelShipping/transport/response';

const MB = 1024 * 1024;
const read = async (chunks: Buffer[], mostMegabytes = 50) => {
	const stream = Readable.from(chunks, { objectMode: false });
	const response = { statusCode: 200, headers: {}, body: stream };
	return await readBody(response, 'List', mostMegabytes).finally(() => {
		expect(stream.destroyed).toBe(true);
	});
};

test('a body is read whole, also if a character comes in two parts', async () => {
	const bytes = Buffer.from('{"city":"Ústí"}');
	const chunks = [...bytes].map((byte) => Buffer.from([byte]));
	expect(String((await read(chunks)).body)).toBe('{"city":"Ústí"}');
});

test('a body that is too large is given up', async () => {
	const chunks = Array.from({ length: 3 }, () => Buffer.alloc(MB));
	await expect(read(chunks, 2)).rejects.toThrow('The response is larger than 2 MB');
	await expect(read(chunks, 3)).resolves.toBeDefined();
});

test('nothing is waited for after the deadline', async () => {
	const timedOut = expect.objectContaining({ code: 'ETIMEDOUT' });
	const never = async () => await new Promise(() => {});
	await expect(untilDeadline(AbortSignal.timeout(30), never)).rejects.toEqual(timedOut);
	const inTime = async () => await Promise.resolve('in time');
	await expect(untilDeadline(AbortSignal.abort(), inTime)).rejects.toEqual(timedOut);
	await expect(untilDeadline(new AbortController().signal, inTime)).resolves.toBe('in time');
}, 5_000);
