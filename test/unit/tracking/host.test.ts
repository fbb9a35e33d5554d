import type { IPollFunctions } from 'n8n-workflow';

import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { shouldThrow, withPollLock } from '../../../nodes/ParcelShipping/tracking/host';
import { infosOf, isFirstPoll, memoryOf } from '../../../nodes/ParcelShipping/tracking/nodeMemory';
import { saveState } from '../../../nodes/ParcelShipping/tracking/storage';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { stateOf } from '../../support/watched';

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

const warnings: string[] = [];

/** What n8n creates when it publishes a workflow with this node. */
const contextOf = (id: string, mode = 'activate') =>
	({
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id }),
		getActivationMode: () => mode,
		getWorkflowStaticData: () => ({}),
		logger: { warn: (text: string) => warnings.push(text), debug: () => undefined },
	}) as unknown as IPollFunctions;

test('of polls of one node that overlap, only one saves its state, whichever ends first', async () => {
	const ends: Array<() => void> = [];
	const poll = (context: IPollFunctions) => {
		const isFirst = isFirstPoll(context);
		return withPollLock(context, isFirst, async () => {
			await new Promise<void>((resolve) => ends.push(resolve));
			const changes = { isStart: false, isInNode: false, hasEvents: true };
			return await saveState(context, stateOf([]), changes);
		});
	};
	const [before, published] = [contextOf('a'), contextOf('a')];
	const older = poll(before);
	const newer = poll(published);
	ends[0]?.();
	expect(await older).toBe(false);
	// The newer one is still running, and the version before is no longer published.
	const ignored = [poll(published), poll(before)];
	expect(warnings).toEqual([
		expect.stringContaining('is still running'),
		expect.stringContaining('earlier version'),
	]);
	for (const end of ends.slice(2)) end();
	expect(await Promise.all(ignored)).toEqual([null, null]);
	ends[1]?.();
	expect(await newer).toBe(true);
	const replaced = poll(before);
	const next = poll(published);
	ends.at(-1)?.();
	expect([await replaced, await next]).toEqual([null, true]);
});

test('a first poll stops only for what the user can fix while publishing, a later one for any failure', () => {
	const facts = { message: '', description: '', endpoint: '', mayHaveActed: false };
	const wrongPassword = new ServiceError(facts);
	const shortFailure = new ServiceError({ ...facts, isTransient: true });
	const [publishing, starting] = [contextOf('b', 'activate'), contextOf('b', 'init')];
	expect(shouldThrow(publishing, shortFailure, true)).toBe(false);
	expect(shouldThrow(publishing, wrongPassword, true)).toBe(true);
	expect(shouldThrow(starting, wrongPassword, true)).toBe(false);
	expect(shouldThrow(starting, shortFailure, false)).toBe(true);
});

test('what the process remembers belongs to a node and an account', () => {
	const memory = memoryOf(contextOf('a'));
	expect(memoryOf(contextOf('a'))).toBe(memory);
	expect(memoryOf(contextOf('b'))).not.toBe(memory);
	const ofOne = infosOf(memory, 'one');
	expect(infosOf(memory, 'one')).toBe(ofOne);
	expect(infosOf(memory, 'two')).not.toBe(ofOne);
});

test('the process forgets the node whose last poll is the oldest, and that one polls on', async () => {
	const [used, unused] = [contextOf('used'), contextOf('unused')];
	for (const context of [used, unused]) isFirstPoll(context);
	const [ofUsed, ofUnused] = [memoryOf(used), memoryOf(unused)];
	for (let node = 0; node < 1_000; node++) {
		memoryOf(used);
		memoryOf(contextOf(`other ${node}`));
	}
	expect(memoryOf(used)).toBe(ofUsed);
	expect(memoryOf(unused)).not.toBe(ofUnused);
	expect(await withPollLock(unused, false, async () => Promise.resolve('polled'))).toBe('polled');
});
