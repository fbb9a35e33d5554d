import fc from 'fast-check';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Fault, Sandbox } from '../../sandbox';
import { SERVICE_KINDS, type ServiceKind } from './services';
import { orderOf, SERVICE_OF } from './shop';

/** `different` is cash on delivery, and `elsewhere` is at another carrier. */
export type Existing = 'none' | 'alive' | 'canceled' | 'different' | 'elsewhere';

export interface ScenarioOrder {
	carrierCode: string;
	reference: string;
	pieceCount: number;
	/** The carrier refuses the order. */
	isBad: boolean;
	existing: Existing;
}

export interface Scenario {
	orders: ScenarioOrder[];
	batchSize: number;
	isCarrierEndpoint: boolean;
	service: ServiceKind;
	ifExists: 'reuse' | 'create' | 'fail';
	ifDiffers: 'fail' | 'reuse';
	lookUpScope: 'allCarriers' | 'sameCarrier';
	onError: NonNullable<INode['onError']>;
	tries: number;
	/** Usually too short for a retry, so that 300 runs don't take minutes. */
	maxRetryWait: number;
	maxConcurrency: number;
	/** The creation request after which the user stops the first run; null if nobody does. */
	stopAtCreation: number | null;
	/** The printer for *Print After Creating*; null without the option. */
	printerName: string | null;
	/** The faults of each run. Every run starts without the state of the previous one. */
	faultsOfRuns: Fault[][];
}

const CREATES = ['createShipments', 'createShipmentsOfCarrier'] as const;
const READS = [
	'findCarriers',
	'findServices',
	'findShipments',
	'getShipment',
	'getShipmentShort',
	'findBatches',
	'getBatch',
] as const;
const PRINTS = ['printLabels', 'sendToPrinter'] as const;

interface AnswerRow {
	packageNumberCustom: string | null;
}
type Answer = { result: AnswerRow[] };

/** Changes that a faulty service may make to a correct response. */
const REWRITES: Record<string, (answer: Answer) => unknown> = {
	reversed: (answer) => ({ ...answer, result: [...answer.result].reverse() }),
	'without its first row': (answer) => ({ ...answer, result: answer.result.slice(1) }),
	'without its last row': (answer) => ({ ...answer, result: answer.result.slice(0, -1) }),
	'without rows': (answer) => ({ ...answer, result: [] }),
	'with a row twice': (answer) => ({
		...answer,
		result: [...answer.result.slice(-1), ...answer.result],
	}),
	'without references': (answer) => ({ ...answer, result: answer.result.map(withReference(null)) }),
	'without references, reversed': (answer) => ({
		...answer,
		result: answer.result.map(withReference(null)).reverse(),
	}),
	'with one reference on all rows': (answer) => ({
		...answer,
		result: answer.result.map(withReference(answer.result[0]?.packageNumberCustom ?? null)),
	}),
	'without a batch': ({ result }) => ({ result }),
	'with only text': () => 'Created',
};

const withReference = (reference: string | null) => (row: AnswerRow) => ({
	...row,
	packageNumberCustom: reference,
});

/** Only before the operation: a service that rejects a request has not carried it out. */
const rejected = fc.constantFrom<Omit<Fault, 'operation'>>(
	{ kind: 'rateLimit' },
	{ kind: 'rateLimit', retryAfter: '0' },
	{ kind: 'status', status: 503, retryAfter: '0' },
	{ kind: 'status', status: 400 },
	{ kind: 'status', status: 401 },
);

const lost = fc
	.record({
		fault: fc.constantFrom<Omit<Fault, 'operation'>>(
			{ kind: 'reset' },
			{ kind: 'status', status: 500 },
			{ kind: 'status', status: 502 },
			{ kind: 'status', status: 503 },
			{ kind: 'status', status: 504 },
			{ kind: 'html' },
			{ kind: 'html', status: 502 },
			{ kind: 'halfBody' },
			{ kind: 'halfBody', cut: true },
			{ kind: 'nullResult' },
			{ kind: 'redirect' },
			{ kind: 'body', body: [] },
		),
		when: fc.constantFrom('before' as const, 'after' as const),
	})
	.map(({ fault, when }) => ({ ...fault, when }));

/** Changes that leave a row, without which 400 means that nothing was created. */
const KEEPING_ROWS = ['reversed', 'with a row twice', 'without references', 'without a batch'];

const rewritten = fc
	.oneof(
		fc.record({ name: fc.constantFrom(...Object.keys(REWRITES)), status: fc.constant(200) }),
		fc.record({ name: fc.constantFrom(...KEEPING_ROWS), status: fc.constantFrom(400, 500) }),
	)
	.map((each) => ({ kind: 'body' as const, rewrite: REWRITES[each.name] as never, ...each }));

/** The service does not have this address for creation. */
const missing = fc
	.constantFrom(404, 405)
	.map((status) => ({ kind: 'status' as const, status, body: '' }));

/** The response is late or missing. The service may carry out the request after the timeout. */
const late = fc.constantFrom<Omit<Fault, 'operation'>>(
	{ kind: 'noResponse' },
	{ kind: 'noResponse', when: 'after' },
	{ kind: 'latency', ms: 90 },
	{ kind: 'latency', ms: 140 },
);

const timing = fc.record({
	skip: fc.integer({ min: 0, max: 4 }),
	times: fc.constantFrom(1, 1, 1, 2, 5),
});

function faultOf(
	operations: readonly Fault['operation'][],
	...kinds: Array<fc.Arbitrary<Omit<Fault, 'operation'>>>
): fc.Arbitrary<Fault> {
	return fc
		.tuple(fc.constantFrom(...operations), fc.oneof(...kinds), timing)
		.map(([operation, fault, when]) => ({ operation, ...fault, ...when }));
}

const fault = fc.oneof(
	{
		weight: 3,
		arbitrary: faultOf(CREATES, rejected, missing, lost, lost, rewritten, rewritten, late),
	},
	{ weight: 1, arbitrary: faultOf(READS, rejected, lost) },
	{ weight: 1, arbitrary: faultOf(PRINTS, rejected, lost) },
	// Not for printLabels, which takes a minute until its timeout.
	{ weight: 1, arbitrary: faultOf(['sendToPrinter'], late) },
);

const order: fc.Arbitrary<Omit<ScenarioOrder, 'reference'>> = fc.record({
	carrierCode: fc.constantFrom('ANT', 'BEAVER', 'CRANE'),
	pieceCount: fc.constantFrom(1, 1, 1, 2, 3),
	isBad: fc.constantFrom(false, false, false, false, true),
	existing: fc.oneof(
		{ weight: 4, arbitrary: fc.constant<Existing>('none') },
		{
			weight: 3,
			arbitrary: fc.constantFrom<Existing>('alive', 'canceled', 'different', 'elsewhere'),
		},
	),
});

/** Several batches of one carrier are under way, and their answers get lost. */
const burst = fc
	.record({
		fault: fc.oneof({ weight: 4, arbitrary: lost }, { weight: 1, arbitrary: late }),
		skip: fc.integer({ min: 0, max: 3 }),
		times: fc.integer({ min: 2, max: 6 }),
		ms: fc.integer({ min: 1, max: 25 }),
		batchSize: fc.constantFrom(1, 2, 3),
		orders: fc.array(
			fc.oneof(
				{ weight: 1, arbitrary: order },
				{
					weight: 9,
					arbitrary: order.map((each) => ({ ...each, isBad: false, existing: 'none' as const })),
				},
			),
			{ minLength: 6, maxLength: 20, size: 'max' },
		),
	})
	.map(({ fault: each, skip, times, ms, ...rest }) => ({
		...rest,
		faults: CREATES.flatMap((operation): Fault[] => [
			{ operation, kind: 'latency', ms, times: Infinity },
			{ operation, ...each, skip, times },
		]),
	}));

export const scenario: fc.Arbitrary<Scenario> = fc
	.record({
		orders: fc.oneof(
			{ weight: 4, arbitrary: fc.array(order, { minLength: 1, maxLength: 10, size: 'max' }) },
			{ weight: 1, arbitrary: fc.array(order, { minLength: 1, maxLength: 40, size: 'max' }) },
		),
		carriers: fc.integer({ min: 1, max: 3 }),
		batchSize: fc.constantFrom(1, 2, 3, 7, 20, 100),
		isCarrierEndpoint: fc.boolean(),
		service: fc.constantFrom(...SERVICE_KINDS),
		ifExists: fc.constantFrom(
			'reuse' as const,
			'reuse' as const,
			'reuse' as const,
			'fail' as const,
			'create' as const,
		),
		ifDiffers: fc.constantFrom('fail' as const, 'reuse' as const),
		lookUpScope: fc.constantFrom(
			'allCarriers' as const,
			'allCarriers' as const,
			'sameCarrier' as const,
		),
		/** Number of orders that reuse the reference of the previous order, where that is allowed. */
		repeats: fc.integer({ min: 0, max: 3 }),
		onError: fc.constantFrom(
			'stopWorkflow' as const,
			'continueRegularOutput' as const,
			'continueErrorOutput' as const,
		),
		tries: fc.constantFrom(1, 2, 3),
		maxRetryWait: fc.oneof(
			{ weight: 5, arbitrary: fc.constant(60) },
			{ weight: 1, arbitrary: fc.constant(550) },
		),
		maxConcurrency: fc.constantFrom(1, 2, 4, 4, 4, 8),
		stopAtCreation: fc.oneof(
			{ weight: 5, arbitrary: fc.constant(null) },
			{ weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) },
		),
		printerName: fc.constantFrom(null, 'Warehouse Zebra', 'Warehouse Zebra', 'Front Desk'),
		burst: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: burst }),
		faultsOfRuns: fc.array(fc.array(fault, { maxLength: 4 }), { minLength: 1, maxLength: 2 }),
	})
	.map(({ carriers, repeats, burst: together, ...ordinary }) => {
		const used = ['ANT', 'BEAVER', 'CRANE'].slice(0, together ? 1 : carriers);
		const [faults = [], ...faultsOfLaterRuns] = ordinary.faultsOfRuns;
		const { orders, ...rest } = together
			? {
					...ordinary,
					orders: together.orders,
					batchSize: together.batchSize,
					faultsOfRuns: [[...together.faults, ...faults], ...faultsOfLaterRuns],
				}
			: ordinary;
		const isFree = rest.ifExists === 'create';
		const withReferences = orders.map((each, index) => {
			const carrierCode = used.includes(each.carrierCode) ? each.carrierCode : 'ANT';
			const isRepeated = isFree && index > 0 && index <= repeats;
			return {
				...each,
				carrierCode,
				// Beaver only accepts one piece.
				pieceCount: carrierCode === 'BEAVER' ? (each.isBad ? 2 : 1) : each.pieceCount,
				reference: `ORDER-${isRepeated ? index - 1 : index}`,
			};
		});
		return { ...rest, orders: withReferences };
	});

export function inputOf({ carrierCode, reference, pieceCount, isBad }: ScenarioOrder): IDataObject {
	const input = orderOf(carrierCode, reference, { pieceCount });
	if (!isBad) return input;
	if (carrierCode === 'BEAVER') return input;
	return carrierCode === 'CRANE'
		? { ...input, recPhone: undefined }
		: { ...input, serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
}

/** Whether the order has a shipment after a run with *Use the Existing One* and without faults. */
export function isShipped(
	{ existing, isBad }: ScenarioOrder,
	{ ifDiffers, lookUpScope }: Scenario,
): boolean {
	if (existing === 'alive') return true;
	const isFound =
		existing === 'different' || (existing === 'elsewhere' && lookUpScope === 'allCarriers');
	return isFound ? ifDiffers === 'reuse' : !isBad;
}

/** Creates the existing shipments. Returns the ids of those that are not canceled. */
export function seedExisting(sandbox: Sandbox, orders: readonly ScenarioOrder[]): Set<number> {
	const alive = new Set<number>();
	const seeded = new Set<string>();
	for (const order of orders) {
		const { carrierCode, reference, existing } = order;
		if (existing === 'none' || seeded.has(reference)) continue;
		seeded.add(reference);
		const serviceType =
			existing === 'elsewhere' && SERVICE_OF[carrierCode === 'ANT' ? 'CRANE' : 'ANT'];
		const pieces = sandbox.seedShipments(1, {
			...inputOf(order),
			...(serviceType ? { serviceType } : {}),
			...(existing === 'different' ? { cod: true, codPrice: 99, codCurrency: 'CZK' } : {}),
			hoursAgo: 30,
		});
		const [main] = pieces;
		if (existing === 'canceled' && main) sandbox.cancelShipment(main.mainId);
		else for (const { id } of pieces) alive.add(id);
	}
	return alive;
}
