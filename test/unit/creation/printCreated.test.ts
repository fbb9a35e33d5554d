import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	askBeforePrinting,
	planBatchJobs,
	printCreated,
} from '../../../nodes/ParcelShipping/creation/printCreated';
import {
	CANCELED,
	type Label,
	labelsOf,
	MAY_BE_PRINTED,
	mayBePrintedMeanwhile,
	type NotPrinted,
	type PrintOptions,
	PRINTED_BEFORE,
	PRINTED_UNKNOWN,
	SECOND_SHIPMENT,
	UNMATCHED,
} from '../../../nodes/ParcelShipping/creation/labelsToPrint';
import {
	failuresOf,
	printersOf,
	type PrintResults,
	reasonIn,
} from '../../../nodes/ParcelShipping/creation/printResults';
import type {
	BatchInfo,
	Duplicates,
	OrderOutcome,
	Piece,
} from '../../../nodes/ParcelShipping/creation/types';
import {
	progressOfLabels,
	type LabelProgress,
} from '../../../nodes/ParcelShipping/labels/createLabels';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipmentRecords';
import { createdRow, orderWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

const batchOf = (packagesCount: number | null) => ({ labelsHash: 'h', packagesCount }) as BatchInfo;

const labelOf = (id: number, more: Partial<Label> = {}): Label => ({
	...{ id, mainId: id, item: id, carrierCode: 'ANT' },
	order: orderWith('A', { itemIndex: id }),
	...{ printerName: 'P', batch: batchOf(2), row: createdRow(id, 'A'), via: 'response' },
	...{
		isUnmatched: false,
		isFromResponse: true,
		mayUseBatchHash: true,
		mayHaveOnlyOne: true,
	},
	...more,
});

test('one job with the hash of the batch prints all of its labels', () => {
	const { jobs, toAsk } = planBatchJobs([labelOf(1), labelOf(2)]);
	expect(jobs).toMatchObject([{ hash: 'h', printerName: 'P', targets: [{ id: 1 }, { id: 2 }] }]);
	expect(toAsk).toEqual([]);
});

test.each<[string, Label[]]>([
	['one of its labels is not printed', [labelOf(1)]],
	['the service does not say how many it has', [labelOf(1, { batch: batchOf(null) })]],
	['they go to two printers', [labelOf(1), labelOf(2, { printerName: 'Q' })]],
	['another run may have printed one', [labelOf(1), labelOf(2, { mayUseBatchHash: false })]],
])('the hash of a batch is not used if %s', (_, labels) => {
	const { jobs, toAsk } = planBatchJobs(labels);
	expect([jobs, toAsk]).toEqual([[], labels]);
});

test.each<[string, Piece['via'], isOfEarlierExecution: boolean, Duplicates, boolean]>([
	['has just created it', 'response', false, { named: [] }, false],
	['is the retry of a person', 'response', true, { named: [] }, true],
	['has read it back', 'records', false, { named: [] }, true],
	['has got that of another run', 'otherProcess', false, { named: [] }, true],
	['could not cancel it', 'response', false, { named: [], notCanceled: 'Too late' }, true],
	['could not read the records', 'response', false, { named: [], notRead: 'No list' }, false],
])(
	'whether another run may have printed its label meanwhile, if this one %s',
	(_, via, isOfEarlierExecution, duplicates, expected) => {
		const pieces = [{ row: createdRow(1, 'A'), batch: null, via }];
		expect(mayBePrintedMeanwhile({ pieces, duplicates }, isOfEarlierExecution)).toBe(expected);
	},
);

/** A run at a service with these shipments. `progress` is what this execution has done for their labels before. */
function runAt(list: object[], progress: Partial<Record<string, LabelProgress>> = {}) {
	const context = contextOf({});
	Object.assign(progressOfLabels(context), progress);
	return {
		context,
		client: clientOf(({ path }) =>
			path.includes('/Detail') || /\/ANT\/\d/.test(path)
				? responseOf(404, { message: 'Not found' })
				: responseOf(200, { result: { data: list, total: list.length }, correlationId: '' }),
		).client,
	} as unknown as NodeRun;
}
const listed = (id: number, more: object = {}) => ({
	...{ id, carrierCode: 'ANT', packageNumberCustom: 'A', isMaster: true, printed: false },
	...more,
});

test.each<[string, Partial<Label>, object[], NotPrinted | undefined]>([
	['was not printed', {}, [listed(2)], undefined],
	['was printed', {}, [listed(2, { printed: true })], PRINTED_BEFORE],
	['is canceled', {}, [listed(2, { canceled: true })], CANCELED],
	['does not say whether it was printed', {}, [listed(2, { printed: null })], undefined],
	[
		'does not say whether it was printed, and another run has created it',
		{ via: 'existing', isFromResponse: false },
		[listed(2, { printed: null })],
		PRINTED_UNKNOWN,
	],
	['is beside one that came first', {}, [listed(1), listed(2)], SECOND_SHIPMENT],
	['is beside a canceled one', {}, [listed(1, { canceled: true }), listed(2)], undefined],
	[
		'is beside one that came first, and both are wanted',
		{ mayHaveOnlyOne: false },
		[listed(1), listed(2)],
		undefined,
	],
])('right before printing, the shipment %s', async (_, label, list, reason) => {
	const results: PrintResults = new Map();
	const run = runAt(list);
	const records = new ShipmentRecords(run.client);
	const asked = labelOf(2, { mayUseBatchHash: false, ...label });
	await askBeforePrinting(run, [asked], results, { records });
	expect(reasonIn(results.get(2))).toBe(reason);
});

test.each<[string, object[], NotPrinted | undefined]>([
	['counts as printed, because its file was created', [listed(2, { printed: true })], undefined],
	['is canceled', [listed(2, { canceled: true })], CANCELED],
	['is beside one that came first', [listed(1), listed(2)], SECOND_SHIPMENT],
])('in a retry, the shipment whose label the printer refused %s', async (_, list, reason) => {
	const results: PrintResults = new Map();
	const run = runAt(list, { 2: 'created' });
	const records = new ShipmentRecords(run.client);
	const options = { records };
	await askBeforePrinting(run, [labelOf(2, { mayUseBatchHash: false })], results, options);
	expect(reasonIn(results.get(2))).toBe(reason);
});

test('a label whose own request was lost, and that counts as printed, is neither printed nor said to be', async () => {
	const results: PrintResults = new Map();
	const run = runAt([listed(1, { printed: true }), listed(2)], { 1: 'requested' });
	const records = new ShipmentRecords(run.client);
	const labels = [labelOf(1), labelOf(2)].map((each) => ({
		...{ ...each, mayUseBatchHash: false, mayHaveOnlyOne: false },
	}));
	const options = { records };
	await askBeforePrinting(run, labels, results, options);
	expect([...results]).toEqual([[1, { notPrinted: MAY_BE_PRINTED }]]);
});

test('nothing is printed if the records cannot be read, also what the printer refused before', async () => {
	const { client } = clientOf(() => responseOf(404, { message: 'No list' }));
	const results: PrintResults = new Map();
	const labels = [labelOf(1), labelOf(2)];
	const records = new ShipmentRecords(client);
	const run: NodeRun = { client, context: contextOf({}), items: [] };
	await askBeforePrinting(run, labels, results, { records });
	expect([...results.keys()]).toEqual([1, 2]);
});

/** Prints the labels of shipments 1 and 2, each at a carrier of its own, in a try on these printers. */
async function tryToPrint(store: IDataObject, execution: string, printers: string[]) {
	const jobs: string[] = [];
	const { client } = clientOf(({ path, body = '{}' }) => {
		const { packages = [], hash, printerName } = JSON.parse(body) as IDataObject;
		if (path.includes('/Label/Print')) {
			const carrierCode = String(packages) === '1' ? 'ANT' : 'BEAVER';
			const group = { carrierCode, hash: `of ${String(packages)}`, labelsCount: 1 };
			return responseOf(200, { result: [group], correlationId: '' });
		}
		if (path.includes('/PrintLabel')) {
			jobs.push(`${String(hash)} on ${String(printerName)}`);
			return responseOf(200, { result: printerName !== 'Off', correlationId: '' });
		}
		return path.includes('/Package/Find')
			? responseOf(200, { result: { data: [], total: 0 }, correlationId: '' })
			: responseOf(404, { message: 'Not found' });
	});
	const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
		continueOnFail: () => false,
		getNode: () => ({}),
	}) as IExecuteFunctions;
	const outcomes = ['ANT', 'BEAVER'].map((carrierCode, itemIndex): OrderOutcome => {
		const row = { ...createdRow(itemIndex + 1, 'A'), carrierCode };
		const pieces: Piece[] = [{ row, batch: null, via: 'response' }];
		return {
			targets: [orderWith('A', { itemIndex, carrierCode })],
			outcome: { state: 'done', value: { pieces } },
		};
	});
	const { printedOn, hints } = await printCreated({ context, client, items: [] }, [], outcomes, {
		...{ records: new ShipmentRecords(client), isNewInThisTry: () => execution === '1' },
		printerOf: (item: number) => printers[item] ?? '',
	});
	return { jobs: jobs.sort(), printedOn, hints };
}

test('a person who retries with another printer prints what the printer refused, and nothing twice', async () => {
	const store = {};
	expect(await tryToPrint(store, '1', ['Zebra', 'Off'])).toEqual({
		jobs: ['of 1 on Zebra', 'of 2 on Off'],
		printedOn: ['Zebra'],
		hints: ['1 label was not printed. See the failed items.'],
	});
	expect(await tryToPrint(store, '2', ['A4', 'Zebra'])).toEqual({
		jobs: ['of 2 on Zebra'],
		printedOn: ['Zebra'],
		hints: ['1 label was printed before the retry, and not printed again.'],
	});
});

test.each([
	['says no', responseOf(200, { result: false })],
	['refuses the request', responseOf(400, { message: 'Offline' })],
])(
	'what a printer refused with the hash of the batch is printed by the next try, also if the service counts it as printed: it %s',
	async (_, refusal) => {
		const store = {};
		let printed = false;
		const tryOnce = async (execution: string, isOn: boolean) => {
			const { client, requests } = clientOf(({ path, body = '{}' }) => {
				const record = { id: 1, carrierCode: 'ANT', packageNumberCustom: 'A', printed };
				const group = { carrierCode: 'ANT', hash: 'of 1', labelsCount: 1 };
				if (path.includes('/PrintLabel')) printed = true;
				if (path.includes('/PrintLabel') && !isOn) return refusal;
				const result = path.includes('/PrintLabel')
					? true
					: path.includes('/Label/Print')
						? [group]
						: { data: [record], total: 1 };
				return responseOf(200, { result, correlationId: body });
			});
			const context = Object.assign(contextOf(store, { execution }) as object, {
				continueOnFail: () => false,
				getNode: () => ({}),
			}) as IExecuteFunctions;
			const pieces: Piece[] = [{ row: createdRow(1, 'A'), batch: batchOf(1), via: 'response' }];
			const outcome: OrderOutcome = {
				targets: [orderWith('A')],
				outcome: { state: 'done', value: { pieces } },
			};
			await printCreated({ context, client, items: [] }, [], [outcome], {
				...{ records: new ShipmentRecords(client), isNewInThisTry: () => execution === '1' },
				printerOf: () => 'Zebra',
			});
			const jobs = requests.filter(({ path }) => path.includes('/PrintLabel'));
			return jobs.map(({ body }) => (JSON.parse(String(body)) as { hash: string }).hash);
		};
		expect(await tryOnce('1', false)).toEqual(['h']);
		expect(await tryOnce('2', true)).toEqual(['of 1']);
	},
);

const ADVICE = 'Switch it on.';
const BY_HAND = 'Do not create it again by hand (ID 1). Switch it on. ';

test('labels that the service has not created are not counted as printed', () => {
	const printed = { isOfEarlierExecution: false };
	const job = { ...printed, labelsHash: 'h', printedOn: 'Zebra', labelsMissing: 1 };
	const other = { ...printed, labelsHash: 'i', printedOn: 'A4' };
	expect(printersOf([job, job, job, other])).toEqual(['Zebra', 'Zebra', 'A4']);
});

test.each<[string, NotPrinted, { continues?: true }, string]>([
	[
		'the printer refused it',
		{ reason: 'off', advice: ADVICE },
		{},
		`${BY_HAND}Then print with Label: Send to Printer, or retry the failed execution: it creates nothing twice and prints what is missing.`,
	],
	[
		'the execution goes on',
		{ reason: 'off', advice: ADVICE },
		{ continues: true },
		`${BY_HAND}Then print with Label: Send to Printer.`,
	],
	[
		'it may have been printed',
		{ reason: 'off', advice: ADVICE, isNotPrintedByRetry: true },
		{},
		`${BY_HAND}Then print with Label: Send to Printer.`,
	],
	['the shipment is canceled', CANCELED, {}, 'To ship the order, run the workflow again.'],
])('the error of a label that was not printed says what to do: %s', (...given) => {
	const [, notPrinted, { continues = false }, description] = given;
	const run = { context: { continueOnFail: () => continues } } as unknown as NodeRun;
	const failures = failuresOf(run, [labelOf(1)], new Map([[1, { notPrinted }]]));
	expect(failures).toMatchObject([{ items: [1], failure: { description } }]);
});

test('the label of a shipment that may be of several orders is not printed', async () => {
	const { client, requests } = clientOf(() => responseOf(404, { message: 'Not found' }));
	const pieces: Piece[] = [{ row: createdRow(1, null), batch: null, via: 'response' }];
	const outcome: OrderOutcome = {
		targets: [orderWith('A'), orderWith('B', { itemIndex: 1 })],
		outcome: { state: 'unmatched', value: { pieces } },
	};
	const context = Object.assign(contextOf({}) as object, { continueOnFail: () => true });
	const run = { context, client, items: [] } as unknown as NodeRun;
	const outputs = [{ items: [0, 1], json: { id: 1 } }];
	const { results } = await printCreated(run, outputs, [outcome], {
		...{ records: new ShipmentRecords(client), isNewInThisTry: () => true, printerOf: () => 'P' },
	});
	expect(results).toEqual([
		{ items: [0, 1], json: { id: 1, labelNotPrinted: UNMATCHED.reason, labelsHash: null } },
	]);
	expect(requests).toEqual([]);
});

test('the batch hash does not print a shipment whose order may have another one', () => {
	const hashOf = (outcome: object, orders = [orderWith('A')]) => {
		const given = { targets: orders, outcome } as unknown as OrderOutcome;
		const settings = { printerOf: () => 'P', isNewInThisTry: () => true };
		return labelsOf([given], settings as unknown as PrintOptions)[0]?.mayUseBatchHash;
	};
	const pieces = [{ row: createdRow(2, 'A'), batch: batchOf(1), via: 'response' }];
	const named = [{ id: 1, carrierCode: 'ANT', packageNumberCarrier: null }];
	expect(hashOf({ state: 'done', value: { pieces } })).toBe(true);
	expect(hashOf({ state: 'done', value: { pieces, duplicates: { named } } })).toBe(false);
	// An exchange has two.
	const exchange = orderWith('A');
	Object.assign(exchange.body, { exchangeOrder: true });
	const ofExchange = { state: 'done', value: { pieces, duplicates: { named } } };
	expect(hashOf(ofExchange, [exchange])).toBe(true);
});
