import fc from 'fast-check';
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { creationForm, orderOf } from '../support/shop';
import {
	interruption,
	moment,
	type Of,
	often,
	ofRuns,
	retry,
	thingsOfRuns,
	withCombinations,
	worker,
} from './acts';
import { CreationRules } from './creationRules';
import { faultsAt, lostAt, withFaults } from './faults';
import { habitsOf, services } from './services';
import type { Simulation } from './simulation';

/** Each is part of another one, because providers search for parts of a number. */
const REFERENCES = ['W-1', 'W-10', 'W-100', 'W-2'];

const order = fc.record({
	reference: fc.constantFrom(...REFERENCES),
	carrierCode: fc.constantFrom('ANT', 'ANT', 'BEAVER', 'CRANE'),
	pieceCount: fc.constantFrom(1, 1, 1, 2, 3),
	/** The carrier refuses the order. */
	isBad: fc.constantFrom(false, false, false, false, false, true),
	/**
	 * A shipment from before: `different` has cash on delivery, `elsewhere` another carrier. `old` is found
	 * only if its order comes alone, or if the provider refuses to create it again.
	 */
	existing: fc.oneof(
		often(5, fc.constant('none' as const)),
		often(2, fc.constantFrom('alive', 'canceled', 'different', 'elsewhere', 'printed')),
		often(1, fc.constant('old' as const)),
	),
});

const MINUTE_MS = 60_000;

const [ZEBRA, A4] = ['Warehouse Zebra', 'Warehouse A4'];

const shipAt = (atMs: fc.Arbitrary<number>) =>
	fc.record({
		what: fc.constant('ship' as const),
		atMs,
		worker,
		/** The orders that this run gets, as bits; all of them in most runs. */
		orders: fc.oneof(often(3, fc.constant(15)), often(1, fc.integer({ min: 1, max: 15 }))),
		/** The customer has corrected the street, which is compared. */
		isCorrected: fc.constantFrom(false, false, false, false, true),
	});

/** A clerk cancels the shipments of an order at the provider, or creates one more. */
const byHandAt = (minutes: number) =>
	fc.record({
		what: fc.constantFrom('cancelByHand' as const, 'createByHand' as const),
		atMs: fc.constant(minutes * MINUTE_MS),
		order: fc.nat({ max: 3 }),
	});

type Act =
	| Of<ReturnType<typeof shipAt>>
	| Of<ReturnType<typeof byHandAt>>
	| Of<typeof retry>
	| Of<typeof interruption>;

/** What happens. */
const act: fc.Arbitrary<Act> = fc.oneof(
	often(5, shipAt(moment)),
	often(2, retry),
	often(1, interruption),
);

/** A person retries an execution after a clerk or another run has changed something. */
const actsUntilRetry = fc
	.tuple(
		fc.array(shipAt(fc.constant(0)), { minLength: 1, maxLength: 2 }),
		byHandAt(10),
		fc.oneof(byHandAt(11), shipAt(fc.constant(12 * MINUTE_MS))),
		retry.map((each) => ({ ...each, atMs: each.atMs + 15 * MINUTE_MS })),
	)
	.map(([ships, ...acts]): Act[] => [...ships, ...acts]);

const records = fc.record({
	service: services,
	...ofRuns,
	orders: fc.uniqueArray(order, { minLength: 1, maxLength: 4, selector: (each) => each.reference }),
	form: fc.record({
		ifShipped: fc.constantFrom(
			...['returnUnchanged', 'returnUnchanged', 'returnUnchanged'],
			...['return', 'return', 'fail'],
		),
		maxParallelRequests: fc.constantFrom(4, 4, 1),
		maxRetryWait: fc.constantFrom(60, 60, 5, 0),
		printerName: fc.constantFrom(null, ZEBRA, ZEBRA, 'Front Desk'),
		downloadLabels: fc.constantFrom(false, false, false, true),
		/** The carrier creates a second shipment for each piece, for the old goods. */
		isExchange: fc.constantFrom(...Array<false>(11).fill(false), true),
	}),
	acts: fc.oneof(often(7, fc.array(act, { minLength: 1, maxLength: 4 })), often(1, actsUntilRetry)),
	faults: fc.oneof(
		often(
			4,
			fc.array(
				fc.oneof(
					often(4, faultsAt('create')),
					often(1, faultsAt('list', 'detail', 'batches', 'offers')),
					often(2, faultsAt('print', 'labels', 'cancel', 'files')),
				),
				{ maxLength: 3 },
			),
		),
		// A response is lost, and the records cannot be read for a while.
		often(1, fc.tuple(lostAt('create'), faultsAt('list'))),
	),
});

export type CreationHistory = Of<typeof records>;

/** All orders in each of these runs, before what happens else. */
const shipping =
	(...runs: Array<Partial<Of<ReturnType<typeof shipAt>>>>) =>
	({ acts }: CreationHistory) => ({
		acts: [
			...runs.map((each) => ({
				...{ what: 'ship' as const, atMs: 0, worker: 0, orders: 15, isCorrected: false, ...each },
			})),
			...acts,
		],
	});
const withOrders =
	(more: Partial<Of<typeof order>>) =>
	({ orders }: CreationHistory) => ({ orders: orders.map((each) => ({ ...each, ...more })) });

export const histories = withCombinations(records, [
	shipping({}, { worker: 1 }),
	shipping({}, { worker: 1, isCorrected: true }),
	shipping({}, { worker: 1, atMs: 900 }),
	withOrders({ pieceCount: 2 }),
	withOrders({ pieceCount: 3 }),
	withOrders({ existing: 'canceled' }),
	withOrders({ carrierCode: 'ANT' }),
	withOrders({ existing: 'elsewhere' }),
	({ form }) => ({ form: { ...form, maxRetryWait: 0 as const } }),
	({ form }) => ({ form: { ...form, printerName: ZEBRA } }),
	...habitsOf('numbersAfterMs'),
	...withFaults('create', /^(some row|rows without IDs|no references, reversed)/, 9),
	...withFaults('create', /^(carried out: reset|carried out late|half carried out|400 with)/, 1),
	...withFaults('cancel', /^refused: 400/, 9),
	...thingsOfRuns,
]);

export type CreationOrder = CreationHistory['orders'][number];

const CORRECTED = { recStreet: 'Krátká 3' };

export function itemOf({ carrierCode, reference, ...order }: CreationOrder, isCorrected = false) {
	const { isBad } = order;
	// Beaver accepts one piece only.
	const pieceCount = carrierCode === 'BEAVER' ? (isBad ? 2 : 1) : order.pieceCount;
	const item = orderOf(carrierCode, reference, {
		pieceCount,
		// The amount is the total of all pieces. The provider refuses it twice.
		...(pieceCount > 1 ? { cod: true, codPrice: 1290, codCurrency: 'CZK', vs: '1' } : {}),
		...(isCorrected ? CORRECTED : {}),
	});
	if (!isBad || carrierCode === 'BEAVER') return item;
	return carrierCode === 'CRANE'
		? { ...item, recPhone: undefined }
		: { ...item, serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
}

/** In half of the histories, an order that is corrected gets another carrier as well. */
function withOtherCarrier(order: CreationOrder, { luck }: CreationHistory): CreationOrder {
	if (luck % 2 === 0 || order.isBad || order.carrierCode === 'BEAVER') return order;
	return { ...order, carrierCode: order.carrierCode === 'ANT' ? 'CRANE' : 'ANT' };
}

/** Creates what exists before. */
function seedExisting(world: Simulation, orders: readonly CreationOrder[]): void {
	const { service } = world;
	for (const each of orders) {
		const { existing } = each;
		if (existing === 'none') continue;
		const item = omit(itemOf({ ...each, isBad: false }), 'carrierCode');
		const elsewhere = itemOf({ ...each, isBad: false, carrierCode: 'CRANE' }) as IDataObject;
		const [main] = service.seedShipments(1, {
			...item,
			...(existing === 'elsewhere' ? { serviceType: String(elsewhere.serviceType) } : {}),
			...(existing === 'different' ? { cod: true, codPrice: 99, codCurrency: 'CZK' } : {}),
			hoursAgo: existing === 'old' ? 60 * 24 : 30,
		});
		if (!main) continue;
		if (existing === 'canceled') service.cancelShipment(main.id);
		if (existing === 'printed') world.ask('/Label/Print/?type=pdf', { packages: [main.id] });
	}
}

export async function play(history: CreationHistory, world: Simulation): Promise<void> {
	const { orders, onError, tries, acts, luck } = history;
	seedExisting(world, orders);
	const rules = new CreationRules(history, world);
	const { printerName, downloadLabels, isExchange, ifShipped, ...limits } = history.form;
	// In a third of the histories that print, orders have different printers, and a person who retries swaps them.
	const hasTwoPrinters = printerName === ZEBRA && luck % 3 === 0;
	const swapped = { printerName: `={{ $json.printer === '${A4}' ? '${ZEBRA}' : '${A4}' }}` };
	const formOf = (more: IDataObject = {}) =>
		creationForm({
			ifShipped,
			labels: printerName !== null ? 'print' : downloadLabels ? 'attach' : 'none',
			...(printerName === null ? {} : { printerName }),
			...(hasTwoPrinters ? { printerName: '={{ $json.printer }}' } : {}),
			...(isExchange ? { additionalFields: '{ "exchangeOrder": true }' } : {}),
			...more,
		});
	const itemsOf = (chosen: readonly CreationOrder[], isCorrected = false) =>
		chosen.map((each) => {
			const isOnA4 = orders.findIndex(({ reference }) => reference === each.reference) % 2;
			return { ...itemOf(each, isCorrected), printer: isOnA4 ? A4 : ZEBRA };
		});

	await world.playActs<Act>(acts, async (act) => {
		switch (act.what) {
			case 'ship': {
				const given = orders.filter((_, index) => act.orders & (1 << index));
				if (given.length === 0) return;
				const { isCorrected } = act;
				const asked = given.map((each) => (isCorrected ? withOtherCarrier(each, history) : each));
				const items = itemsOf(asked, isCorrected);
				const settings = { parameters: formOf(), items, onError, tries, limits };
				return await world.start(act.worker, asked, settings).over;
			}
			case 'retry': {
				const failed = rules.runs.filter(({ result }) => result?.error);
				const first = failed[act.run % failed.length];
				if (!first) return;
				const { parameters, items = [] } = first.settings;
				const settings = {
					...first.settings,
					parameters: hasTwoPrinters ? formOf(swapped) : parameters,
					items: luck % 7 === 0 ? items.map((item) => ({ ...item, ...CORRECTED })) : items,
				};
				return await world.start(act.worker, first.asked, settings, { retryOf: first }).over;
			}
			case 'kill':
			case 'stop':
				return world.interrupt(act);
			default: {
				const order = orders[act.order % orders.length] as CreationOrder;
				// Nobody looks for one that is so old.
				if (order.existing === 'old' && rules.has('refusesDuplicates')) return;
				// The order has two pieces, and its carrier takes one: two shipments may be meant as its pieces.
				if (order.isBad && order.carrierCode === 'BEAVER') return;
				world.note(`a clerk does this for ${order.reference}: ${act.what}`);
				if (act.what === 'cancelByHand') return rules.cancelByHand(order.reference);
				return rules.createByHand(itemOf({ ...order, isBad: false }));
			}
		}
	});
	rules.checkRuns();

	// In good weather, one run puts everything right.
	const [parameters, items] = [formOf({ ifShipped: 'return' }), itemsOf(orders)];
	const settings = { parameters, items, onError: 'continueErrorOutput' as const };
	const last = world.start(0, [...orders], settings, { name: 'last run' });
	await world.play(last.over);
	rules.checkEnd(last);
}
