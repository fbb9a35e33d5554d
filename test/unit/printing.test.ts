import type { IDataObject } from 'n8n-workflow';

import { readShipmentIds } from '../../nodes/ParcelShipping/descriptions/shipmentNumbers';
import { planLabelRequests } from '../../nodes/ParcelShipping/labels/labelRequests';
import { planHashJobs, type PrintJob } from '../../nodes/ParcelShipping/labels/printJobs';
import { type PrintEntry, PrintLedger } from '../../nodes/ParcelShipping/labels/printLedger';
import type { LabelGroup } from '../../nodes/ParcelShipping/transport/contract';
import { labelFileName } from '../../nodes/ParcelShipping/labels/labelFile';

describe('Shipment IDs are read from', () => {
	test.each([
		[1001, [1001]],
		['1001', [1001]],
		[' 1001 ,1002,\n1003, ', [1001, 1002, 1003]],
		[
			['1001', 1002],
			[1001, 1002],
		],
		['1001, 1001', [1001]],
	])('%j', (value, ids) => {
		expect(readShipmentIds(value, 0)).toEqual(ids);
	});
});

describe('Invalid shipment IDs are an error that names the item and the value', () => {
	test.each([
		['0', '"0"'],
		[-5, '"-5"'],
		[1.5, '"1.5"'],
		['0012345', '"0012345"'],
		['12345678901234567890', '"12345678901234567890"'],
		[1e21, '"1e+21"'],
		['1001, BV000001', '"BV000001"'],
		[true, '"true"'],
	])('%j', (value, named) => {
		expect(() => readShipmentIds(value, 7)).toThrow(`Invalid Shipment IDs of item 7: ${named}`);
	});

	test.each([['', ' , ', null, undefined, []]].flat().map((value) => [value]))('%j', (value) => {
		expect(() => readShipmentIds(value, 7)).toThrow('Shipment IDs of item 7 is empty');
	});
});

test('Many shipments are split into several requests, each linked to its items', () => {
	const settings = { format: 'pdf' } as const;
	const labels = [[1, 2], [3], [2, 4], [5]].map((shipmentIds, item) => ({
		item,
		shipmentIds,
		settings,
	}));
	expect(planLabelRequests(labels, 2)).toEqual([
		{ settings, shipmentIds: [1, 2], items: [0, 2] },
		{ settings, shipmentIds: [3, 4], items: [1, 2] },
		{ settings, shipmentIds: [5], items: [3] },
	]);
});

describe('Items with the same hash and printer', () => {
	const item = (index: number, hash: string, printerName = 'Zebra', repeat = false) => ({
		item: index,
		hash,
		printerName,
		repeat,
	});
	const itemsOf = (jobs: PrintJob[]) => jobs.map(({ items }) => items);

	test('are one job', () => {
		const items = [item(0, 'a'), item(1, 'b'), item(2, 'a'), item(3, 'a', 'A4')];
		expect(itemsOf(planHashJobs(items))).toEqual([[0, 2], [1], [3]]);
	});

	test('are one job each if they are to be repeated', () => {
		const items = [item(0, 'a', 'Zebra', true), item(1, 'a', 'Zebra', true)];
		expect(itemsOf(planHashJobs(items))).toEqual([[0], [1]]);
	});
});

describe('The print ledger', () => {
	const job: PrintJob = { items: [0], hash: 'abc', printerName: 'Zebra', labels: {} };
	const printed: PrintEntry = { state: 'printed', output: { printed: true } };
	const unknown: PrintEntry = {
		state: 'unknown',
		message: 'lost',
		description: 'check',
		details: {},
	};
	const first = { executionId: '1', runIndex: 0 };

	function storeWith(entry: PrintEntry): IDataObject {
		const store: IDataObject = {};
		new PrintLedger(store, first).write(job, entry);
		// n8n saves the store as JSON between an execution and its retry.
		return JSON.parse(JSON.stringify(store)) as IDataObject;
	}

	test.each([printed, unknown])('keeps a job of state $state when the run is retried', (entry) => {
		expect(new PrintLedger(storeWith(entry), first).find(job)).toEqual(entry);
	});

	test.each([printed, unknown])(
		'discards a job of state $state in the next iteration of a loop',
		(entry) => {
			expect(
				new PrintLedger(storeWith(entry), { ...first, runIndex: 1 }).find(job),
			).toBeUndefined();
		},
	);

	test('keeps the hashes of shipments in a retry, so that they do not print again', () => {
		const store: IDataObject = {};
		const group = { hash: 'abc', carrierCode: 'ANT' } as LabelGroup;
		new PrintLedger(store, first).writeLabels('Zebra', [1, 2], [group]);
		expect(new PrintLedger(store, first).findLabels('Zebra', [1, 2])).toEqual([group]);
		expect(new PrintLedger(store, first).findLabels('A4', [1, 2])).toBeUndefined();
		const nextRun = new PrintLedger(store, { ...first, runIndex: 1 });
		expect(nextRun.findLabels('Zebra', [1, 2])).toBeUndefined();
	});

	test('keeps only printed jobs when the user retries the execution', () => {
		const retried = { ...first, executionId: '2' };
		expect(new PrintLedger(storeWith(printed), retried).find(job)).toEqual(printed);
		expect(new PrintLedger(storeWith(unknown), retried).find(job)).toBeUndefined();
	});
});

describe('The name of a label file contains no special characters', () => {
	test.each([
		[
			{ carrierCode: 'ANT', labelsCount: 3, hash: '0a1b2c3d4e5f' },
			'labels-ANT-2026-11-20-3-0a1b2c3d.pdf',
		],
		[{ carrierCode: '../a b/č', labelsCount: 1, hash: null }, 'labels--a-b--2026-11-20-1.pdf'],
	])('%j', (labels, name) => {
		expect(labelFileName(labels, '2026-11-20', 'pdf')).toBe(name);
	});
});
