import type { IPollFunctions } from 'n8n-workflow';

import {
	infosOf,
	isNoted,
	memoryOf,
	note,
	type NodeMemory,
} from '../../nodes/ParcelShipping/tracking/host';
import { encodeState } from '../../nodes/ParcelShipping/tracking/storage';
import { latestState } from '../../nodes/ParcelShipping/tracking/storage';
import { nowMs, shipmentOf, stateOf } from '../support/watched';

describe('The state to continue with', () => {
	const saved = stateOf([], nowMs);
	const later = stateOf([shipmentOf(1)], nowMs + 1);
	let text: string;
	beforeAll(async () => {
		text = await encodeState(later);
	});
	const after = (hadEvents: boolean): Pick<NodeMemory, 'last'> => ({
		last: { text, savedAt: nowMs + 1, nodeName: 'Trigger', hadEvents },
	});

	test('is the saved one, unless a later poll without events was not saved', async () => {
		expect(await latestState(undefined, {}, 'Trigger', nowMs)).toBeUndefined();
		expect(await latestState(saved, {}, 'Trigger', nowMs)).toBe(saved);
		expect(await latestState(saved, after(false), 'Trigger', nowMs)).toEqual(later);
		expect(await latestState(undefined, after(false), 'Trigger', nowMs)).toEqual(later);
		const newest = { ...saved, savedAt: nowMs + 1 };
		expect(await latestState(newest, after(false), 'Trigger', nowMs)).toBe(newest);
		expect(await latestState(newest, after(true), 'Trigger', nowMs)).toBe(newest);
	});

	test('is kept for a renamed node, under whose name none is saved, or an older one', async () => {
		expect(await latestState(undefined, after(true), 'Renamed', nowMs)).toEqual(later);
		expect(await latestState(saved, after(true), 'Renamed', nowMs)).toEqual(later);
	});

	test('is awaited for a limited time while n8n saves emitted events', async () => {
		expect(await latestState(saved, after(true), 'Trigger', nowMs + 10)).toBe('pending');
		expect(await latestState(undefined, after(true), 'Trigger', nowMs + 10)).toBe('pending');
		// Now n8n has discarded the events.
		expect(await latestState(saved, after(true), 'Trigger', nowMs + 40_000)).toBe(saved);
		expect(await latestState(undefined, after(true), 'Trigger', nowMs + 40_000)).toBeUndefined();
	});
});

describe('The memory of the process', () => {
	const contextOf = (id: string) =>
		({ getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id }) }) as unknown as IPollFunctions;

	test('belongs to a node', () => {
		expect(memoryOf(contextOf('a'))).toBe(memoryOf(contextOf('a')));
		expect(memoryOf(contextOf('a'))).not.toBe(memoryOf(contextOf('b')));
	});

	test('has what was noted during the last hour', () => {
		const memory = memoryOf(contextOf('c'));
		note(memory, 'x', nowMs);
		const isKnown = (what: string, minutes: number) =>
			isNoted(memory, what, nowMs + minutes * 60_000);
		expect([isKnown('x', 59), isKnown('y', 59), isKnown('x', 60)]).toEqual([true, false, false]);
	});

	test('forgets the shipments of another account', () => {
		const memory = memoryOf(contextOf('d'));
		expect(infosOf(memory, 'one')).toBe(infosOf(memory, 'one'));
		const ofOne = infosOf(memory, 'one');
		expect(infosOf(memory, 'two')).not.toBe(ofOne);
	});
});
