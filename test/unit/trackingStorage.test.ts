import {
	parseState,
	type SavedState,
	writeState,
} from '../../nodes/ParcelShipping/tracking/stateJson';
import { ProcessMemory } from '../../nodes/ParcelShipping/tracking/storage';
import { withPauses } from '../../nodes/ParcelShipping/transport/concurrency';
import { nowMs, shipmentOf, stateOf } from '../support/watched';

describe('The memory of the process', () => {
	let saved: SavedState;
	let later: SavedState;
	let text: string;
	beforeAll(async () => {
		text = await withPauses(writeState(stateOf([shipmentOf(1)], nowMs + 1)));
		later = parseState(text) as SavedState;
		saved = parseState(await withPauses(writeState(stateOf([], nowMs)))) as SavedState;
	});

	const remember = (memory: ProcessMemory, savedAt: number, hadEvents: boolean) =>
		memory.remember('a', { text, savedAt, nodeName: 'Trigger', hadEvents });

	test('lets one poll of a node run at a time', () => {
		const memory = new ProcessMemory();
		expect([memory.lock('a'), memory.lock('a'), memory.lock('b')]).toEqual([true, false, true]);
		memory.unlock('a');
		expect(memory.lock('a')).toBe(true);
	});

	test('is used only if it is newer than the saved state, or if no state is saved', () => {
		const memory = new ProcessMemory();
		expect(memory.latestState('a', undefined, 'Trigger')).toBeUndefined();
		expect(memory.latestState('a', saved, 'Trigger')).toBe(saved);
		remember(memory, nowMs + 1, false);
		expect(memory.latestState('a', saved, 'Trigger')).toEqual(later);
		expect(memory.latestState('a', undefined, 'Trigger')).toEqual(later);
		const newest = { ...saved, savedAt: nowMs + 2 };
		expect(memory.latestState('a', newest, 'Trigger')).toBe(newest);
		expect(memory.latestState('b', saved, 'Trigger')).toBe(saved);
	});

	test('gives a renamed node its state', () => {
		const memory = new ProcessMemory();
		remember(memory, nowMs + 1, true);
		expect(memory.latestState('a', undefined, 'Renamed')).toEqual(later);
		// Under the same name, a missing state means that n8n has discarded the events.
		expect(memory.latestState('a', undefined, 'Trigger')).toBeUndefined();
		expect(memory.latestState('a', saved, 'Trigger')).toBe(saved);
	});

	test('waits a limited time for n8n to save emitted events', () => {
		const memory = new ProcessMemory();
		const isSavePending = (found: typeof saved | undefined, afterMs: number, name = 'Trigger') =>
			memory.isSavePending('a', found, name, nowMs + afterMs);
		expect(isSavePending(saved, 0)).toBe(false);
		remember(memory, nowMs + 5, true);
		expect(isSavePending(saved, 10)).toBe(true);
		expect(isSavePending(undefined, 10)).toBe(true);
		expect(isSavePending({ ...saved, savedAt: nowMs + 5 }, 10)).toBe(false);
		expect(isSavePending(saved, 40_000)).toBe(false);
		// n8n saves the state under the old name.
		expect(isSavePending(undefined, 10, 'Renamed')).toBe(false);
	});

	test('logs the same message only once an hour', () => {
		const memory = new ProcessMemory();
		const shouldLog = (text: string, minutes: number) =>
			memory.shouldLog('a', text, nowMs + minutes * 60_000);
		expect([
			shouldLog('x', 0),
			shouldLog('x', 59),
			shouldLog('y', 59),
			shouldLog('x', 60),
			shouldLog('x', 121),
		]).toEqual([true, false, true, true, true]);
	});
});
