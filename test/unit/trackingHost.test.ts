import type { IPollFunctions } from 'n8n-workflow';

import {
	Budget,
	infosOf,
	isFirstPoll,
	memoryOf,
	shouldThrow,
	withPollLock,
} from '../../nodes/ParcelShipping/tracking/host';
import { ServiceError } from '../../nodes/ParcelShipping/transport/errors';

test('the time of a poll limits each request, and a pause that the service asks for ends it', () => {
	let [ms, isHeldBack] = [0, false];
	const budget = new Budget(
		() => ms,
		34_000,
		10,
		() => isHeldBack,
	);
	expect([budget.timeoutMs(), budget.isSpent()]).toEqual([20_000, false]);
	ms = 20_000;
	expect([budget.timeoutMs(), budget.isLate()]).toEqual([14_000, false]);
	isHeldBack = true;
	expect([budget.isLate(), budget.isSpent()]).toEqual([false, true]);
	[ms, isHeldBack] = [33_500, false];
	expect([budget.timeoutMs(), budget.isLate(), budget.isSpent()]).toEqual([1_000, true, true]);
});

/** What n8n creates when it publishes a workflow with this node. */
const contextOf = (id: string, mode = 'activate') =>
	({
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id }),
		getActivationMode: () => mode,
		logger: { warn: () => undefined },
	}) as unknown as IPollFunctions;

test('of polls of one node that overlap, only one is current, whichever ends first', async () => {
	const ends: Array<() => void> = [];
	const poll = (context: IPollFunctions) => {
		const isFirst = isFirstPoll(context);
		return withPollLock(context, isFirst, async (isCurrent) => {
			await new Promise<void>((resolve) => ends.push(resolve));
			return isCurrent();
		});
	};
	const [before, published] = [contextOf('a'), contextOf('a')];
	const older = poll(before);
	const newer = poll(published);
	ends[0]?.();
	expect(await older).toBe(false);
	// The newer one is still running, and the version before is no longer published.
	const ignored = [poll(published), poll(before)];
	for (const end of ends.slice(2)) end();
	expect(await Promise.all(ignored)).toEqual([null, null]);
	ends[1]?.();
	expect(await newer).toBe(true);
	const replaced = poll(before);
	const next = poll(published);
	ends.at(-1)?.();
	expect([await replaced, await next]).toEqual([null, true]);
});

test.each<[string, boolean, string, boolean, boolean]>([
	['a short failure, while the workflow is published', true, 'activate', true, false],
	['what the user can fix, while the workflow is published', true, 'activate', false, true],
	['what the user can fix, when n8n starts', true, 'init', false, false],
	['any failure, in a later poll', false, 'init', true, true],
])('%s (first poll %s, %s, transient %s) stops the poll: %s', (...given) => {
	const [, isFirst, mode, isTransient, stops] = given;
	const facts = { message: '', description: '', endpoint: '', mayHaveActed: false, isTransient };
	expect(shouldThrow(contextOf('b', mode), new ServiceError(facts), isFirst)).toBe(stops);
});

test('what the process remembers belongs to a node and an account', () => {
	const memory = memoryOf(contextOf('a'));
	expect(memoryOf(contextOf('a'))).toBe(memory);
	expect(memoryOf(contextOf('b'))).not.toBe(memory);
	const ofOne = infosOf(memory, 'one');
	expect(infosOf(memory, 'one')).toBe(ofOne);
	expect(infosOf(memory, 'two')).not.toBe(ofOne);
});
