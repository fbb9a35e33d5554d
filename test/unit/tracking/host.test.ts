import type { IPollFunctions } from 'n8n-workflow';

import {
	deadlineOf,
	isFirstPoll,
	shouldThrow,
	withPollLock,
} from '../../../nodes/ParcelShipping/tracking/host';
import { createState, saveState } from '../../../nodes/ParcelShipping/tracking/state';
import { errorOf, watchOf } from '../../support/polling';

// What the trigger knows about n8n.

let nowMs = Date.parse('2026-06-10T09:00:00Z');
beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => nowMs));
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

/** A poll that ends when it is told to, and says whether its state was saved. */
function startPoll(context: IPollFunctions) {
	let end = () => {};
	const saved = withPollLock(context, isFirstPoll(context), async (isCurrent) => {
		await new Promise<void>((resolve) => (end = resolve));
		const changes = { isStart: false, isInNode: false, hasEvents: true };
		const state = createState(watchOf(), nowMs, 'Europe/Prague');
		return await saveState({ context, isCurrent }, state, changes);
	});
	return { saved, end: () => end() };
}

test('of polls of one node that overlap, only one saves its state, whichever ends first', async () => {
	const [before, published] = [contextOf('a'), contextOf('a')];
	const older = startPoll(before);
	const newer = startPoll(published);
	older.end();
	expect(await older.saved).toBe(false);
	// The newer one is still running, and the version before is no longer published.
	const ignored = [startPoll(published), startPoll(before)];
	expect(await Promise.all(ignored.map(({ saved }) => saved))).toEqual([null, null]);
	expect(warnings).toEqual([
		expect.stringContaining('is still running'),
		expect.stringContaining('earlier version'),
	]);
	newer.end();
	expect(await newer.saved).toBe(true);
	const next = startPoll(published);
	next.end();
	expect(await next.saved).toBe(true);
});

test('a poll that hangs holds up the others only until its time is over, and saves nothing then', async () => {
	const context = contextOf('hanging');
	const hanging = startPoll(context);
	nowMs += 299_000;
	expect(await startPoll(context).saved).toBeNull();
	nowMs += 1_000;
	const next = startPoll(context);
	hanging.end();
	expect(await hanging.saved).toBe(false);
	next.end();
	expect(await next.saved).toBe(true);
});

test('a first poll throws only what the user can fix while publishing, a later one any failure', () => {
	const [wrongPassword, down] = [errorOf(401), errorOf(503)];
	const [publishing, starting] = [contextOf('b', 'activate'), contextOf('b', 'init')];
	expect(shouldThrow(publishing, down, true)).toBe(false);
	expect(shouldThrow(publishing, wrongPassword, true)).toBe(true);
	expect(shouldThrow(starting, wrongPassword, true)).toBe(false);
	expect(shouldThrow(starting, down, false)).toBe(true);
});

test('the time of a poll limits each request, and a pause that the provider asks for ends it', async () => {
	const context = Object.assign(contextOf('c'), { getPollBudgetMs: () => 36_000 });
	const poll = deadlineOf(context);
	const timeout = async () => await poll.ask(async ({ timeoutMs }) => Promise.resolve(timeoutMs));
	expect([await timeout(), poll.mayAsk(1 / 2)]).toEqual([20_000, true]);
	nowMs += 20_000;
	expect([await timeout(), poll.mayAsk(1 / 2), poll.mayAsk()]).toEqual([14_000, false, true]);
	const failing = poll.ask(async () => Promise.reject(errorOf(503)));
	await expect(failing).rejects.toThrow('503');
	expect(poll.mayAsk()).toBe(true);
	const pausing = poll.ask(async () => Promise.reject(errorOf(503, { retryAfterMs: 1_000 })));
	await expect(pausing).rejects.toThrow('503');
	// The shipments of events are read nevertheless.
	expect([poll.mayAsk(), poll.hasTime()]).toEqual([false, true]);
	nowMs += 13_500;
	expect(poll.hasTime()).toBe(false);
});
