import { Readable } from 'node:stream';

import { readText, untilDeadline } from '../../../nodes/ParcelShipping/transport/response';

const MB = 1024 * 1024;
const open = new AbortController().signal;
const ended = AbortSignal.abort();
const read = async (chunks: Buffer[], mostBytes = Infinity, deadline = open) =>
	readText(Readable.from(chunks, { objectMode: false }), deadline, mostBytes, 'List');

test('a body is read whole, also if a character comes in two parts', async () => {
	const bytes = Buffer.from('\ufeff{"city":"Ústí"}');
	const chunks = [...bytes].map((byte) => Buffer.from([byte]));
	expect(await read(chunks)).toBe('{"city":"Ústí"}');
});

test('a body that is too large is given up, and so are all of a run that are too large together', async () => {
	const chunks = Array.from({ length: 51 }, () => Buffer.alloc(MB));
	await expect(read(chunks)).rejects.toThrow('The response is larger than 50 MB');
	await expect(read(chunks, 3 * MB)).rejects.toThrow('The responses are too large together');
	await expect(read([], -1)).resolves.toBe('');
});

test('a body that comes byte by byte ends with the deadline', async () => {
	const drip = async function* () {
		for (;;) {
			yield Buffer.from(' ');
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	};
	const stream = Readable.from(drip(), { objectMode: false });
	const reading = readText(stream, AbortSignal.timeout(30), Infinity, 'List');
	await expect(reading).rejects.toEqual(expect.objectContaining({ code: 'ETIMEDOUT' }));
	expect(stream.destroyed).toBe(true);
}, 5_000);

test('headers that never end are not waited for', async () => {
	const waiting = untilDeadline(AbortSignal.timeout(30), new Promise(() => {}), () => {});
	await expect(waiting).rejects.toEqual(expect.objectContaining({ code: 'ETIMEDOUT' }));
}, 5_000);

test('nothing is waited for after the deadline, and a response that comes later is discarded', async () => {
	const timedOut = expect.objectContaining({ code: 'ETIMEDOUT' });
	await expect(read([Buffer.from('x')], 10, ended)).rejects.toEqual(timedOut);
	const late: string[] = [];
	let respond: (response: string) => void = () => {};
	const work = new Promise<string>((resolve) => (respond = resolve));
	const waiting = untilDeadline(ended, work, (response) => late.push(response));
	await expect(waiting).rejects.toEqual(timedOut);
	respond('too late');
	await work;
	expect(late).toEqual(['too late']);
	await expect(untilDeadline(open, Promise.resolve('in time'), () => {})).resolves.toBe('in time');
});
