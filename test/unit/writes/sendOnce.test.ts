import type { Client } from '../../../nodes/ParcelShipping/transport/client';
import { requestError } from '../../../nodes/ParcelShipping/transport/errors';
import { lookAgain, sendOnce } from '../../../nodes/ParcelShipping/writes/sendOnce';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: 0 }));
afterEach(() => void jest.useRealTimers());

function clientWith(more: object = {}) {
	const pauses: number[] = [];
	const pause = async (ms: number) => {
		pauses.push(ms);
		jest.setSystemTime(Date.now() + ms);
	};
	return { client: { http: { isStopped: false, pause, ...more } } as unknown as Client, pauses };
}

const providerError = (mayHaveActed: boolean) => requestError('', 'no', '', { mayHaveActed });

test.each<[name: string, outcome: string, noted: string, failure: Error | undefined]>([
	['a response', 'response', 'sending, sent', undefined],
	['a refusal', 'refused', 'sending, sent, forget', providerError(false)],
	['a lost response', 'lost', 'sending, sent', providerError(true)],
	['an error that does not say it', 'lost', 'sending, sent', new Error('reset')],
])('what is about to be sent is noted before, with %s', async (_, outcome, noted, failure) => {
	const log: string[] = [];
	const noting = { sending: () => log.push('sending'), forget: () => log.push('forget') };
	const result = await sendOnce(clientWith().client, noting, async () => {
		log.push('sent');
		if (failure) throw failure;
		return 7;
	});
	expect([Object.keys(result), log.join(', ')]).toEqual([[outcome], noted]);
});

test.each<[name: string, maxWaitMs: number, settledAt: number, pauses: number[]]>([
	['once, if that settles it', 8_000, 1, []],
	['with growing pauses, until it is settled', 8_000, 3, [500, 1_000]],
	['until the time is over', 4_000, Infinity, [500, 1_000, 2_000, 500]],
	['once without patience', 0, Infinity, []],
])('the records are read %s', async (_, maxWaitMs, settledAt, expected) => {
	const { client, pauses } = clientWith();
	let looks = 0;
	await lookAgain(client, maxWaitMs, async () => ++looks >= settledAt);
	expect(pauses).toEqual(expected);
	expect(looks).toBe(expected.length + 1);
});
