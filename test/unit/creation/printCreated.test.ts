import { addPrintPreview } from '../../../nodes/ParcelShipping/creation/preview';
import {
	askBeforePrinting,
	planBatchJobs,
} from '../../../nodes/ParcelShipping/creation/printCreated';
import {
	CANCELED,
	type Label,
	PRINTED_BEFORE,
	type PrintResults,
	SECOND,
	UNKNOWN,
} from '../../../nodes/ParcelShipping/creation/printResults';
import type { BatchInfo, OrderOutcome, Piece } from '../../../nodes/ParcelShipping/creation/types';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipmentRecords';
import { createdRow, orderWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';

const batchOf = (packagesCount: number | null) => ({ labelsHash: 'h', packagesCount }) as BatchInfo;

const labelOf = (id: number, more: Partial<Label> = {}): Label => ({
	...{ id, mainId: id, item: id, order: orderWith('A'), carrierCode: 'ANT' },
	...{ printerName: 'P', batch: batchOf(2), row: createdRow(id, 'A'), via: 'response' },
	...{ notToPrint: undefined, mustReadRecord: false, wantsOne: true },
	...more,
});

test('one job with the hash of the batch prints all of its labels', () => {
	const { jobs, single } = planBatchJobs([labelOf(1), labelOf(2)], () => false);
	expect(jobs).toMatchObject([{ hash: 'h', printerName: 'P', shipmentIds: [1, 2] }]);
	expect(single).toEqual([]);
});

test.each<[string, Label[]]>([
	['one of its labels is not printed', [labelOf(1)]],
	['the service does not say how many it has', [labelOf(1, { batch: batchOf(null) })]],
	['they go to two printers', [labelOf(1), labelOf(2, { printerName: 'Q' })]],
	['another run may have printed one', [labelOf(1), labelOf(2, { mustReadRecord: true })]],
])('the hash of a batch is not used if %s', (_, labels) => {
	const { jobs, single } = planBatchJobs(labels, () => false);
	expect([jobs, single]).toEqual([[], labels]);
});

/** A run at a service with these shipments. */
const runAt = (list: object[]) =>
	({
		client: clientOf(({ path }) =>
			path.includes('/Detail') || /\/ANT\/\d/.test(path)
				? responseOf(404, { message: 'Not found' })
				: responseOf(200, { result: { data: list, total: list.length }, correlationId: '' }),
		).client,
	}) as unknown as NodeRun;
const listed = (id: number, more: object = {}) => ({
	...{ id, carrierCode: 'ANT', packageNumberCustom: 'A', isMaster: true, printed: false },
	...more,
});

test.each<[string, Partial<Label>, object[], string | undefined]>([
	['was not printed', {}, [listed(2)], undefined],
	['was printed', {}, [listed(2, { printed: true })], PRINTED_BEFORE],
	['is canceled', {}, [listed(2, { canceled: true })], CANCELED],
	['does not say whether it was printed', {}, [listed(2, { printed: null })], undefined],
	[
		'does not say whether it was printed, and another run has created it',
		{ via: 'existing' },
		[listed(2, { printed: null })],
		UNKNOWN,
	],
	['is beside one that came first', {}, [listed(1), listed(2)], SECOND],
	['is beside a canceled one', {}, [listed(1, { canceled: true }), listed(2)], undefined],
	[
		'is beside one that came first, and both are wanted',
		{ wantsOne: false },
		[listed(1), listed(2)],
		undefined,
	],
])('right before printing, the shipment %s', async (_, label, list, reason) => {
	const results: PrintResults = new Map();
	const run = runAt(list);
	const records = new ShipmentRecords(run.client);
	await askBeforePrinting(run, [labelOf(2, label)], results, { records, lookbackDays: 30 });
	expect(results.get(2)?.labelNotPrinted).toBe(reason);
});

test('nothing is printed if the records cannot be read, also what the printer refused before', async () => {
	const { client } = clientOf(() => responseOf(404, { message: 'No list' }));
	const results: PrintResults = new Map();
	const labels = [labelOf(1), labelOf(2, { earlierPrint: 'created' })];
	const options = { records: new ShipmentRecords(client), lookbackDays: 30 };
	await askBeforePrinting({ client } as NodeRun, labels, results, options);
	expect([...results.keys()]).toEqual([1, 2]);
});

test.each([
	['one of two pieces was printed before', true, { wouldPrintOn: 'P' }],
	['all were printed before', false, { wouldPrintOn: null, labelNotPrinted: PRINTED_BEFORE }],
])('Dry Run says whether a label would be printed: %s', async (_, isFirstLeft, expected) => {
	const pieces = [1, 2].map(
		(id): Piece => ({ row: createdRow(id, 'A'), batch: null, via: 'existing' }),
	);
	const outcome: OrderOutcome = {
		targets: [orderWith('A', { pieceCount: 2 })],
		outcome: { state: 'done', value: { pieces } },
	};
	const run = runAt([
		listed(1, { printed: !isFirstLeft }),
		listed(2, { printed: true, isMaster: false, masterId: 1 }),
	]);
	const output = { items: [0], json: { wouldDo: 'reuse' } };
	const records = new ShipmentRecords(run.client);
	const options = { printerOf: () => 'P', records, ifExists: 'reuse', lookbackDays: 30 } as const;
	expect(await addPrintPreview(run, [output], [outcome], options)).toMatchObject([
		{ json: expected },
	]);
});
