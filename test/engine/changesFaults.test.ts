import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunResult } from '../support/engine';
import { faultRuns, playInLanes, type Service } from '../support/lanes';
import { Reached } from '../support/reached';
import { SERVICE_KINDS } from '../support/services';

import type { Fault, Sandbox, SandboxShipment } from '../../sandbox';

// Cancel and Hand Over against random faults of the service: lost responses, pauses and partial refusals.
// To repeat a scenario, set FAULT_SEED=<seed> and FAULT_PATH=<path> as fast-check prints them.
const settings = faultRuns(120, 5);

const reached = new Reached([
	'canceled',
	'already canceled',
	'cancellation refused',
	'lost response read back',
	'outcome not confirmed',
	'handed over',
	'nothing to hand over',
	'some done and some failed',
	'run stopped',
	'additional pieces changed',
	'nothing asked for',
]);

test(
	`whatever goes wrong, only what was asked for is canceled or handed over, and nothing twice (${settings.runs} runs from seed ${settings.seed})`,
	async () => playInLanes(scenario, reached, { ...settings, lanes: 3 }, play),
	30_000 + settings.runs * 2_000,
);

const anyShipment = fc.record({
	serviceType: fc.constantFrom('ANT-HOME', 'ANT-HOME', 'BEAVER-PARCEL'),
	pieceCount: fc.constantFrom(1, 1, 2),
	state: fc.constantFrom(
		'waiting',
		'waiting',
		'waiting',
		'canceled',
		'moving',
		'handedOver',
		'kept',
	),
	isWanted: fc.boolean(),
});

const CHANGES: Array<Fault['operation']> = ['cancelShipments', 'handOverShipments'];
const READS: Array<Fault['operation']> = ['findShipments', 'getShipment', 'getShipmentShort'];

const anyFault = fc
	.record({
		operation: fc.oneof(
			{ weight: 4, arbitrary: fc.constantFrom(...CHANGES) },
			{ weight: 1, arbitrary: fc.constantFrom(...READS) },
		),
		kind: fc.constantFrom('reset', 'status', 'rateLimit', 'html', 'halfBody', 'nullResult'),
		when: fc.constantFrom('before', 'after'),
		times: fc.constantFrom(1, 1, 2),
		skip: fc.constantFrom(0, 0, 1),
	})
	// A service that limits the rate has not carried out the request.
	.map((each) => (each.kind === 'rateLimit' ? { ...each, when: 'before' as const } : each));

const scenario = fc.record({
	service: fc.constantFrom(...SERVICE_KINDS),
	operation: fc.constantFrom('cancel', 'handOver'),
	by: fc.constantFrom('ids', 'numbers', 'all'),
	shipments: fc.array(anyShipment, { minLength: 1, maxLength: 8 }),
	faults: fc.array(anyFault, { maxLength: 3 }),
	onError: fc.constantFrom('stopWorkflow', 'continueErrorOutput'),
	tries: fc.constantFrom(1, 2, 3),
	maxRetryWait: fc.constantFrom(0, 0, 600),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

async function play(given: Scenario, { sandbox, engine }: Service): Promise<void> {
	sandbox.reset();
	const mains = given.shipments.map((each) => seed(sandbox, each));
	const wanted = mains.filter((_, index) => given.shipments[index]?.isWanted);
	const isForAll = given.operation === 'handOver' && given.by === 'all';
	const items = isForAll
		? [{ carrierCode: 'ANT' }, { carrierCode: 'BEAVER' }]
		: wanted.map(({ id, carrierCode, packageNumberCarrier }) => ({
				id,
				carrierCode,
				packageNumberCarrier,
			}));
	reached.note('nothing asked for', items.length === 0);
	if (items.length === 0) return;
	const allowed = isForAll ? mains : wanted;
	const before = statesOf(sandbox);
	sandbox.requests.length = 0;

	for (const each of given.faults) sandbox.fault(each);
	const first = await engine.run({
		parameters: parametersOf(given, given.maxRetryWait),
		items,
		onError: given.onError,
		tries: given.tries,
	});
	sandbox.clearFaults();
	checkChanges(sandbox, before, allowed, given);
	checkClaims(sandbox, first, given);
	const isCancelable = (_: unknown, index: number) =>
		/waiting|kept/.test(String(given.shipments[index]?.state));
	checkRequests(sandbox, new Set(mains.filter(isCancelable).map(({ id }) => id)));
	if (given.onError === 'continueErrorOutput') checkEveryItem(first, items.length);

	noteReached(given, first);
	const changedPieces = sandbox.database
		.shipments()
		.filter((each) => each.id !== each.mainId && stateOf(each) !== before.get(each.id));
	reached.note('additional pieces changed', changedPieces.length > 0);

	// Without faults, everything that the service accepts is done at last.
	const last = await engine.run({
		parameters: parametersOf(given, 0),
		items,
		onError: 'continueErrorOutput',
	});
	checkChanges(sandbox, before, allowed, given);
	checkClaims(sandbox, last, given);
	const after = statesOf(sandbox);
	const accepted = given.operation === 'cancel' ? ['waiting', 'kept'] : ['waiting'];
	for (const [index, main] of mains.entries()) {
		const state = given.shipments[index]?.state ?? '';
		if (!allowed.includes(main) || !accepted.includes(state)) continue;
		expect(after.get(main.id)).toBe(given.operation === 'cancel' ? 'canceled' : 'handedOver');
	}
}

function noteReached({ operation }: Scenario, { items, errorItems, error }: RunResult): void {
	const text = JSON.stringify([errorItems.map(({ json }) => json), error?.message]);
	const done = items.map(({ json }) => json);
	const has = (field: string, value: unknown) => done.some(({ [field]: found }) => found === value);
	const isHandOver = operation === 'handOver';
	reached.note('canceled', has('alreadyCanceled', false));
	reached.note('already canceled', has('alreadyCanceled', true));
	reached.note('cancellation refused', text.includes('was not canceled'));
	reached.note('handed over', isHandOver && done.length > 0 && !has('packagesCount', 0));
	reached.note('nothing to hand over', has('packagesCount', 0));
	reached.note('lost response read back', has('recovered', true));
	reached.note('outcome not confirmed', text.includes('Could not confirm'));
	reached.note('some done and some failed', items.length > 0 && errorItems.length > 0);
	reached.note('run stopped', error !== undefined);
}

function seed(sandbox: Sandbox, { state, pieceCount, serviceType }: Scenario['shipments'][number]) {
	const [main] = sandbox.seedShipments(1, {
		serviceType,
		pieceCount: serviceType === 'BEAVER-PARCEL' ? 1 : pieceCount,
		hoursAgo: state === 'moving' ? 30 : 0,
	}) as [SandboxShipment];
	if (state === 'canceled') sandbox.cancelShipment(main.id);
	if (state === 'kept') sandbox.keepFromCarrier(main.id);
	if (state === 'handedOver') sandbox.handOver(main.id);
	return main;
}

function parametersOf({ operation, by }: Scenario, maxRetryWait: number): INodeParameters {
	return {
		resource: 'shipment',
		operation,
		carrierCode: '={{ $json.carrierCode }}',
		shipments:
			operation === 'handOver' && by === 'numbers'
				? 'ids'
				: operation === 'cancel' && by === 'all'
					? 'numbers'
					: by,
		packageNumber: '={{ $json.packageNumberCarrier }}',
		shipmentIds: '={{ $json.id }}',
		options: { maxRetryWait },
	};
}

const stateOf = ({ canceled, handedOver }: SandboxShipment) =>
	canceled ? 'canceled' : handedOver ? 'handedOver' : 'waiting';
const statesOf = (sandbox: Sandbox) =>
	new Map(sandbox.database.shipments().map((each) => [each.id, stateOf(each)]));

/** Only the shipments that were asked for have changed, and only in the way that was asked for. */
function checkChanges(
	sandbox: Sandbox,
	before: ReadonlyMap<number, string>,
	allowed: readonly SandboxShipment[],
	{ operation }: Scenario,
): void {
	const allowedIds = new Set(allowed.map(({ id }) => id));
	for (const each of sandbox.database.shipments()) {
		if (stateOf(each) === before.get(each.id)) continue;
		expect(allowedIds).toContain(each.mainId);
		expect(before.get(each.id)).toBe('waiting');
		expect(stateOf(each)).toBe(operation === 'cancel' ? 'canceled' : 'handedOver');
	}
}

/** What an item says about a shipment is true. */
function checkClaims(sandbox: Sandbox, { items, errorItems }: RunResult, { operation }: Scenario) {
	const shipments = sandbox.database.shipments();
	for (const { json } of items) {
		if (operation === 'cancel') {
			const named = shipments.find(
				(each) => each.packageNumberCarrier === json.packageNumberCarrier,
			);
			expect([json.canceled, named?.canceled]).toEqual([true, true]);
		} else {
			const named = shipments.filter(({ id }) => (json.shipmentIds as number[]).includes(id));
			expect(named.map(({ handedOver }) => handedOver)).toEqual(named.map(() => true));
			expect(json.packagesCount).toBe(named.length);
		}
	}
	for (const { json } of errorItems) {
		const { packageNumberCarrier } = json.details as IDataObject;
		const named = shipments.find((each) => each.packageNumberCarrier === packageNumberCarrier);
		if (/was not canceled/.test(String(json.error))) expect(named?.canceled).toBe(false);
	}
}

/**
 * A request that may have been carried out is not sent again, and none is sent without names. What the
 * service has certainly refused may be sent again by a retry.
 */
function checkRequests({ requests, database }: Sandbox, cancelable: ReadonlySet<number>): void {
	const shipments = database.shipments();
	const refused = new Set(
		shipments
			.filter(({ mainId }) => !cancelable.has(mainId))
			.map(({ packageNumberCarrier }) => packageNumberCarrier),
	);
	/** Further pieces are refused as well if their main shipment, canceled just before, takes them along. */
	const isCanceledAlong = (packages: readonly unknown[], number: unknown) => {
		const { id, mainId } = shipments.find((each) => each.packageNumberCarrier === number) ?? {};
		const main = shipments.find((each) => each.id === mainId);
		return id !== mainId && packages.includes(main?.packageNumberCarrier);
	};
	const sent = new Set<string | number>();
	for (const { operationId, body, status } of requests) {
		if (operationId !== 'cancelShipments' && operationId !== 'handOverShipments') continue;
		const { packages } = body as { packages: Array<string | number> };
		expect(packages.length).toBeGreaterThan(0);
		expect(packages.filter((each) => sent.has(each))).toEqual([]);
		const isRefused = status !== null && status >= 400 && status < 500;
		if (isRefused) continue;
		for (const each of packages) {
			if (!refused.has(String(each)) && !isCanceledAlong(packages, each)) sent.add(each);
		}
	}
}

function checkEveryItem({ items, errorItems }: RunResult, count: number): void {
	const linked = [...items, ...errorItems].flatMap(({ pairedItem }) =>
		[pairedItem ?? []].flat().map((link) => (typeof link === 'number' ? link : link.item)),
	);
	expect([...new Set(linked)].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
}
