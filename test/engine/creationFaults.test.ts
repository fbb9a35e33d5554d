import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';
import { groupBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Fault, Sandbox, SandboxShipment } from '../../sandbox';
import type { RunResult } from '../support/engine';
import { faultRuns, often, playInLanes, type Service } from '../support/lanes';
import { Reached } from '../support/reached';
import { SERVICE_KINDS } from '../support/services';
import { creationForm, orderOf, SERVICE_OF } from '../support/shop';

// `npm test` runs the same scenarios every time, so that only a change of the code can make it fail.
// Each scenario chooses the service, and so the dialect. To repeat one, set FAULT_SEED=<seed> and
// FAULT_PATH=<path> as fast-check prints them. `npm run test:faults -- --runs 10000` runs more.
const settings = faultRuns(300, 11);

const CASES = {
	'existing shipment returned': ({ has }: Seen) => has('alreadyExisted'),
	'different shipment refused': ({ errorText }: Seen) => errorText.includes('"differences"'),
	'order refused by its carrier': ({ errorText }: Seen) => /"carrierErrors":\s*"\w/.test(errorText),
	'lost response read back': ({ has }: Seen) => has('recovered'),
	'several lost responses of one carrier read back': ({ recoveredBatches }: Seen) =>
		Object.values(groupBy(recoveredBatches, 'carrierCode')).some((each) => each.length > 1),
	'unknown outcome': ({ errorText }: Seen) => /whether \w+ created the shipment/.test(errorText),
	'creation address that does not exist': ({ requests }: Seen) =>
		requests.some(({ status, method }) => method === 'POST' && (status === 404 || status === 405)),
	'run ended with created shipments in its error': ({ run }: Seen) =>
		/\bID \d+/.test(run.error?.description ?? ''),
	'label printed': ({ has }: Seen) => has('printedOn'),
	'label not printed': ({ has }: Seen) => has('labelNotPrinted'),
};
const reached = new Reached([
	...Object.keys(CASES),
	'second run after faults',
	'stopped by the user',
]);

test(
	`whatever goes wrong, no order ships twice, no label prints twice and nothing created is lost (${settings.runs} runs from seed ${settings.seed})`,
	async () => playInLanes(scenario, reached, { ...settings, lanes: 12 }, play),
	30_000 + settings.runs * 2_000,
);

type Operation = Fault['operation'];
type FaultOf = Omit<Fault, 'operation'>;
interface ResponseRow {
	packageNumberCustom: string | null;
}

const CREATES: Operation[] = ['createShipments', 'createShipmentsOfCarrier'];
const READS: Operation[] = [
	'findCarriers',
	'findServices',
	'findShipments',
	'getShipment',
	'getShipmentShort',
	'findBatches',
	'getBatch',
];

const withReference = (reference: string | null) => (row: ResponseRow) => ({
	...row,
	packageNumberCustom: reference,
});

/** Changes that a faulty service may make to the rows of a correct response. */
const ROW_CHANGES: Record<string, (rows: ResponseRow[]) => ResponseRow[]> = {
	reversed: (rows) => [...rows].reverse(),
	'with a row twice': (rows) => [...rows.slice(-1), ...rows],
	'without references': (rows) => rows.map(withReference(null)),
	'without a batch': (rows) => rows,
	'without its first row': (rows) => rows.slice(1),
	'without its last row': (rows) => rows.slice(0, -1),
	'without rows': () => [],
	'without references, reversed': (rows) => rows.map(withReference(null)).reverse(),
	'with one reference on all rows': (rows) =>
		rows.map(withReference(rows[0]?.packageNumberCustom ?? null)),
	'with only text': (rows) => rows,
};

/** Changes that leave a row, without which 400 means that nothing was created. */
const KEEPING_ROWS = Object.keys(ROW_CHANGES).slice(0, 4);

const rewritten = fc
	.oneof(
		fc.record({ name: fc.constantFrom(...Object.keys(ROW_CHANGES)), status: fc.constant(200) }),
		fc.record({ name: fc.constantFrom(...KEEPING_ROWS), status: fc.constantFrom(400, 500) }),
	)
	.map(({ name, status }): FaultOf => {
		const rewrite = ({ result, ...rest }: { result: ResponseRow[] }) =>
			name === 'with only text'
				? 'Created'
				: { ...(name === 'without a batch' ? {} : rest), result: ROW_CHANGES[name]?.(result) };
		return { kind: 'body', status, rewrite };
	});

/** Only before the operation: a service that rejects a request has not carried it out. */
const rejected = fc.constantFrom<FaultOf>(
	{ kind: 'rateLimit' },
	{ kind: 'rateLimit', retryAfter: '0' },
	{ kind: 'status', status: 503, retryAfter: '0' },
	{ kind: 'status', status: 400 },
	{ kind: 'status', status: 401 },
);

const lost = fc
	.record({
		fault: fc.constantFrom<FaultOf>(
			{ kind: 'reset' },
			...[500, 502, 503, 504].map((status): FaultOf => ({ kind: 'status', status })),
			{ kind: 'html' },
			{ kind: 'html', status: 502 },
			{ kind: 'halfBody' },
			{ kind: 'halfBody', cut: true },
			{ kind: 'nullResult' },
			{ kind: 'redirect' },
			{ kind: 'body', body: [] },
		),
		when: fc.constantFrom<'before' | 'after'>('before', 'after'),
	})
	.map(({ fault, when }): FaultOf => ({ ...fault, when }));

/** The service does not have this address for creation. */
const missing = fc
	.constantFrom(404, 405)
	.map((status): FaultOf => ({ kind: 'status', status, body: '' }));

/** The response is late or missing. The service may carry out the request after the timeout. */
const late = fc.constantFrom<FaultOf>(
	{ kind: 'noResponse' },
	{ kind: 'noResponse', when: 'after' },
	{ kind: 'latency', ms: 90 },
	{ kind: 'latency', ms: 140 },
);

function faultAt(operations: Operation[], ...kinds: Array<fc.Arbitrary<FaultOf>>) {
	const timing = fc.record({
		skip: fc.integer({ min: 0, max: 4 }),
		times: fc.constantFrom(1, 1, 1, 2, 5),
	});
	return fc
		.tuple(fc.constantFrom(...operations), fc.oneof(...kinds), timing)
		.map(([operation, fault, when]): Fault => ({ operation, ...fault, ...when }));
}

const anyFault = fc.oneof(
	often(3, faultAt(CREATES, rejected, missing, lost, lost, rewritten, rewritten, late)),
	faultAt(READS, rejected, lost),
	faultAt(['printLabels', 'sendToPrinter'], rejected, lost),
	// Not for printLabels, which takes a minute until its timeout.
	faultAt(['sendToPrinter'], late),
);

/** `different` is cash on delivery, and `elsewhere` is at another carrier. */
type Existing = 'none' | 'alive' | 'canceled' | 'different' | 'elsewhere';

const anyOrder = fc.record({
	carrierCode: fc.constantFrom('ANT', 'BEAVER', 'CRANE'),
	pieceCount: fc.constantFrom(1, 1, 1, 2, 3),
	/** The carrier refuses the order. */
	isBad: fc.constantFrom(false, false, false, false, true),
	existing: fc.oneof(
		often(4, fc.constant<Existing>('none')),
		often(3, fc.constantFrom<Existing>('alive', 'canceled', 'different', 'elsewhere')),
	),
});

const goodOrder = anyOrder.map((each) => ({ ...each, isBad: false, existing: 'none' as Existing }));

/** Several batches of one carrier are under way, and their responses get lost. */
const burst = fc
	.record({
		fault: fc.oneof(often(4, lost), late),
		skip: fc.integer({ min: 0, max: 3 }),
		times: fc.integer({ min: 2, max: 6 }),
		ms: fc.integer({ min: 1, max: 25 }),
		batchSize: fc.constantFrom(1, 2, 3),
		orders: fc.array(fc.oneof(anyOrder, often(9, goodOrder)), {
			minLength: 6,
			maxLength: 20,
			size: 'max',
		}),
	})
	.map(({ fault, skip, times, ms, ...rest }) => ({
		...rest,
		faults: CREATES.flatMap((operation): Fault[] => [
			{ operation, kind: 'latency', ms, times: Infinity },
			{ operation, ...fault, skip, times },
		]),
	}));

const scenario = fc
	.record({
		orders: fc.oneof(
			often(4, fc.array(anyOrder, { minLength: 1, maxLength: 10, size: 'max' })),
			fc.array(anyOrder, { minLength: 1, maxLength: 40, size: 'max' }),
		),
		carriers: fc.integer({ min: 1, max: 3 }),
		batchSize: fc.constantFrom(1, 2, 3, 7, 20, 100),
		isCarrierEndpoint: fc.boolean(),
		service: fc.constantFrom(...SERVICE_KINDS),
		ifExists: fc.constantFrom('reuse', 'reuse', 'reuse', 'fail', 'create'),
		ifDiffers: fc.constantFrom('fail', 'reuse'),
		lookUpScope: fc.constantFrom('allCarriers', 'allCarriers', 'sameCarrier'),
		/** Number of orders that reuse the reference of the previous order, where that is allowed. */
		repeats: fc.integer({ min: 0, max: 3 }),
		onError: fc.constantFrom<'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput'>(
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		),
		tries: fc.constantFrom(1, 2, 3),
		/** Usually too short for a retry, so that 300 runs don't take minutes. */
		maxRetryWait: fc.constantFrom(60, 60, 60, 60, 60, 550),
		maxConcurrency: fc.constantFrom(1, 2, 4, 4, 4, 8),
		/** The creation request after which the user stops the first run; null if nobody does. */
		stopAtCreation: fc.oneof(often(5, fc.constant(null)), fc.integer({ min: 1, max: 6 })),
		/** The printer for *Print After Creating*; null without the option. */
		printerName: fc.constantFrom(null, 'Warehouse Zebra', 'Warehouse Zebra', 'Front Desk'),
		burst: fc.oneof(often(2, fc.constant(null)), burst),
		/** Every run starts without the state of the previous one. */
		faultsOfRuns: fc.array(fc.array(anyFault, { maxLength: 4 }), { minLength: 1, maxLength: 2 }),
	})
	.map(({ carriers, repeats, burst: together, ...given }) => {
		const used = ['ANT', 'BEAVER', 'CRANE'].slice(0, together ? 1 : carriers);
		const [faults = [], ...laterFaults] = given.faultsOfRuns;
		const orders = (together ?? given).orders.map((each, index) => {
			const carrierCode = used.includes(each.carrierCode) ? each.carrierCode : 'ANT';
			const isRepeated = given.ifExists === 'create' && index > 0 && index <= repeats;
			return {
				...each,
				carrierCode,
				// Beaver only accepts one piece.
				pieceCount: carrierCode === 'BEAVER' ? (each.isBad ? 2 : 1) : each.pieceCount,
				reference: `ORDER-${isRepeated ? index - 1 : index}`,
			};
		});
		return {
			...given,
			orders,
			batchSize: (together ?? given).batchSize,
			faultsOfRuns: [[...(together?.faults ?? []), ...faults], ...laterFaults],
		};
	});

type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;
type ScenarioOrder = Scenario['orders'][number];

function inputOf({ carrierCode, reference, pieceCount, isBad }: ScenarioOrder): IDataObject {
	const input = orderOf(carrierCode, reference, { pieceCount });
	if (!isBad || carrierCode === 'BEAVER') return input;
	return carrierCode === 'CRANE'
		? { ...input, recPhone: undefined }
		: { ...input, serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
}

/** Creates the existing shipments. Returns the IDs of those that are not canceled. */
function seedExisting(sandbox: Sandbox, orders: readonly ScenarioOrder[]): Set<number> {
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
		if (existing === 'canceled') sandbox.cancelShipment(pieces[0]?.mainId ?? 0);
		else for (const { id } of pieces) alive.add(id);
	}
	return alive;
}

async function play(given: Scenario, { sandbox, engine }: Service): Promise<void> {
	sandbox.reset();
	const existed = seedExisting(sandbox, given.orders);
	const items = given.orders.map(inputOf);
	const options = {
		batchSize: given.batchSize,
		carrierEndpoint: given.isCarrierEndpoint ? 'always' : 'auto',
		ifExists: given.ifExists,
		ifDiffers: given.ifDiffers,
		lookUpScope: given.lookUpScope,
		timeout: 60,
		maxRetryWait: given.maxRetryWait,
		maxConcurrency: given.maxConcurrency,
		...(given.printerName === null ? {} : { printerName: given.printerName }),
	};
	// Under Create Another One, a second run creates everything again, as requested.
	const runs = given.ifExists === 'create' ? given.faultsOfRuns.slice(0, 1) : given.faultsOfRuns;
	reached.note('second run after faults', runs.length > 1);
	for (const [index, faults] of runs.entries()) {
		sandbox.requests.length = 0;
		const before = new Set(sandbox.database.shipments().map(({ id }) => id));
		for (const fault of faults) sandbox.fault(fault);
		let isStopped = false;
		const stopBy = (stop: () => void) => {
			isStopped = true;
			stop();
		};
		const running = engine.run({
			parameters: creationForm(options),
			items,
			onError: given.onError,
			tries: given.tries,
			onStart: (stop) => {
				if (index === 0) atCreation(sandbox, given.stopAtCreation, () => stopBy(stop));
			},
		});
		const run = await running.catch((error: unknown) => {
			if (!isStopped) throw error;
		});
		sandbox.clearFaults();
		// n8n ends a stopped run at once, and what the node has sent may still be on its way.
		if (isStopped) await sleep(latencyOf(faults) + 300);
		await untilQuiet(sandbox, faults);
		reached.note('stopped by the user', isStopped);
		// A stopped run has no output, but the runs after it must find what it has created.
		if (isStopped || !run) continue;
		checkOutputs(given, sandbox, run, before, existed);
		checkLabels(given, sandbox, run);
		noteReached(sandbox, run);
	}
	if (given.ifExists === 'reuse') {
		// Without faults, but a response may take a while on a busy machine.
		const patient = { ...options, timeout: 10_000, maxRetryWait: 10_000 };
		const last = await engine.run({
			parameters: creationForm(patient),
			items,
			onError: 'continueErrorOutput',
		});
		checkEverythingExists(given, last);
	}
	checkShipments(given, sandbox, existed);
	checkPrintJobs(sandbox);
}

/** Calls `stop` like the user when the service receives so many creation requests. */
function atCreation(sandbox: Sandbox, creation: number | null, stop: () => void): void {
	let count = 0;
	const onlyIf = () => {
		if (++count === creation) stop();
		return false;
	};
	for (const operation of CREATES) sandbox.fault({ operation, kind: 'latency', onlyIf });
}

interface Seen {
	run: RunResult;
	errorText: string;
	requests: Sandbox['requests'];
	recoveredBatches: Array<{ carrierCode: string }>;
	has(field: string): boolean;
}

function noteReached({ database, requests }: Sandbox, run: RunResult): void {
	const { rows, errorText } = claimsOf(run);
	const has = (field: string) => rows.some(({ json }) => Boolean(json[field]));
	const recovered = new Set(
		rows.filter(({ json }) => json.recovered).map(({ json }) => json.batchId),
	);
	const recoveredBatches = database.batches().filter(({ id }) => recovered.has(id));
	const seen = { run, errorText, requests, recoveredBatches, has };
	for (const [name, isReached] of Object.entries(CASES)) reached.note(name, isReached(seen));
}

/** Waits for requests that the service reads or finishes after the node has given up. */
async function untilQuiet({ requests }: Sandbox, faults: readonly Fault[]): Promise<void> {
	let seen = -1;
	for (let turn = 0; turn < 20; turn++) await setImmediate();
	while (requests.length !== seen && requests.some(({ finishedAt }) => finishedAt === null)) {
		seen = requests.length;
		await sleep(latencyOf(faults));
		for (let turn = 0; turn < 20; turn++) await setImmediate();
	}
}

/** Several latencies may apply to one request. */
function latencyOf(faults: readonly Fault[]): number {
	return faults.reduce((sum, { ms }) => sum + (ms ?? 0), 30);
}

/** Returns what the output says: the shipments, and the text of failed items and of the error. */
function claimsOf({ items, errorItems, error }: RunResult) {
	const isRow = ({ json }: INodeExecutionData) => Number(json.id) > 0;
	const linked = ({ pairedItem }: INodeExecutionData) =>
		[pairedItem].flat().map((link) => (typeof link === 'object' ? link.item : Number(link)));
	const rows = items
		.filter(isRow)
		.map((item) => ({ id: Number(item.json.id), items: linked(item), json: item.json }));
	const others = [...items.filter((item) => !isRow(item)), ...errorItems];
	const message = error ? `${error.message} ${error.description ?? ''}` : '';
	return {
		rows,
		errorText: `${JSON.stringify(others.map(({ json }) => json))} ${message}`,
		itemsWithOutcome: new Set([...items, ...errorItems].flatMap(linked)),
	};
}

/** Checks that the output lists exactly the shipments that exist, each linked to its own item. */
function checkOutputs(
	{ orders, lookUpScope }: Scenario,
	{ database }: Sandbox,
	run: RunResult,
	before: ReadonlySet<number>,
	existed: ReadonlySet<number>,
): void {
	const { rows, errorText, itemsWithOutcome } = claimsOf(run);
	const shipments = new Map(database.shipments().map((shipment) => [shipment.id, shipment]));

	for (const { id, items, json } of rows) {
		const shipment = shipments.get(id);
		if (!shipment) fail(`The output contains shipment ${id}, which does not exist`);
		if (shipment.canceled) fail(`The output contains the canceled shipment ${id}`);
		const mayBeElsewhere = existed.has(id) && lookUpScope === 'allCarriers';
		const isOf = (item: number) =>
			orders[item]?.reference === shipment.packageNumberCustom &&
			(mayBeElsewhere || orders[item].carrierCode === shipment.carrierCode);
		if (!items.some(isOf)) {
			fail(`Shipment ${id} of ${shipment.packageNumberCustom} is linked to items ${items.join()}`);
		}
		if (items.length > 1 && !json.unmatched) fail(`Shipment ${id} is linked to several items`);
		if (existed.has(id) !== json.alreadyExisted && before.has(id) !== json.alreadyExisted) {
			fail(`Shipment ${id} has the wrong alreadyExisted: ${String(json.alreadyExisted)}`);
		}
	}
	const ids = rows.map(({ id }) => id);
	if (new Set(ids).size !== ids.length) fail(`The output contains a shipment twice: ${ids.join()}`);

	const reported = new Set(ids);
	for (const [, id] of errorText.matchAll(/\bID (\d+)/g)) reported.add(Number(id));
	for (const { id, packageNumberCustom: reference, carrierCode } of shipments.values()) {
		const isReportedUnknown = new RegExp(
			`whether ${carrierCode} created the shipment of order \\\\?"${reference}\\\\?"`,
		).test(errorText);
		if (before.has(id) || reported.has(id) || isReportedUnknown) continue;
		fail(`Shipment ${id} of ${reference} at ${carrierCode} is not in the output: ${errorText}`);
	}
	const missingItem = orders.findIndex((_, index) => !itemsWithOutcome.has(index));
	if (!run.error && missingItem >= 0) fail(`Item ${missingItem} has no outcome`);
}

/** Checks that no order has more than one shipment, regardless of the number of runs and tries. */
function checkShipments(
	{ orders, ifExists, lookUpScope }: Scenario,
	{ database }: Sandbox,
	existed: ReadonlySet<number>,
): void {
	const isForAll = ifExists !== 'create' && lookUpScope === 'allCarriers';
	const keyOf = (reference: string, carrierCode: string) =>
		isForAll ? reference : `${reference} at ${carrierCode}`;
	const mains = database
		.shipments()
		.filter(({ id, mainId, canceled }) => id === mainId && !canceled);
	const byKey = groupBy(mains, ({ packageNumberCustom, carrierCode }: SandboxShipment) =>
		keyOf(packageNumberCustom, carrierCode),
	);
	for (const [key, { length: count }] of Object.entries(byKey)) {
		const wanted = orders.filter((order) => keyOf(order.reference, order.carrierCode) === key);
		const earlier = byKey[key]?.filter(({ id }) => existed.has(id)).length ?? 0;
		const maximum = ifExists === 'create' ? wanted.length + earlier : 1;
		if (count > maximum) fail(`${count} shipments of ${key} instead of ${maximum}`);
	}
}

/** Checks that each output shipment says whether its label was printed, and that it is true. */
function checkLabels({ printerName }: Scenario, { database }: Sandbox, run: RunResult): void {
	const shipments = new Map(database.shipments().map((shipment) => [shipment.id, shipment]));
	for (const { id, json } of claimsOf(run).rows) {
		const { printedOn, labelNotPrinted } = json;
		const says = `${String(printedOn)}, not printed: ${String(labelNotPrinted)}`;
		const expected = printerName === null ? 0 : 1;
		if ([printedOn, labelNotPrinted].filter(Boolean).length !== expected) {
			fail(`Shipment ${id} should be printed on ${printerName}, but says ${says}`);
		}
		if (printedOn && !shipments.get(id)?.printed) fail(`Shipment ${id} was not printed`);
	}
}

/** Checks that no label was printed by two jobs, regardless of the number of runs and tries. */
function checkPrintJobs({ database }: Sandbox): void {
	const printed = new Set<number>();
	for (const { hash, shipmentIds } of database.printJobs()) {
		const again = shipmentIds.find((id) => printed.has(id));
		if (again !== undefined) fail(`The label of shipment ${again} was printed twice, as ${hash}`);
		for (const id of shipmentIds) printed.add(id);
	}
}

/** After a run without faults, every order that its carrier accepts must exist. */
function checkEverythingExists(given: Scenario, last: RunResult): void {
	const { orders, ifDiffers, lookUpScope } = given;
	const isShipped = ({ existing, isBad }: ScenarioOrder) => {
		if (existing === 'alive') return true;
		const isFound =
			existing === 'different' || (existing === 'elsewhere' && lookUpScope === 'allCarriers');
		return isFound ? ifDiffers === 'reuse' : !isBad;
	};
	const shipped = orders.filter(isShipped);
	const pieces = shipped.reduce((sum, { pieceCount }) => sum + pieceCount, 0);
	// The label of a shipment that exists may fail.
	const refused = last.errorItems.filter(({ json }) => !String(json.error).startsWith('The label'));
	const found = [claimsOf(last).rows.length, refused.length];
	expect({ pieces: found[0], failed: found[1] }).toEqual({
		pieces,
		failed: orders.length - shipped.length,
	});
}

function fail(message: string): never {
	throw new Error(message);
}
