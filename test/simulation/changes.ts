import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import { creationForm, orderOf, SERVICE_OF } from '../support/shop';
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
import { type Asked, ChangesRules, isOfLabels } from './changesRules';
import { type Fault, faultsAt, withFaults } from './faults';
import { habitsOf, servicesOfChanges } from './services';
import type { Run, Simulation } from './simulation';

const ZEBRA = 'Warehouse Zebra' as const;

/** Each is part of another one, because providers search for parts of a number. */
const REFERENCES = ['W-1', 'W-10', 'W-100', 'W-2', 'W-3', 'W-4'];

const shipment = fc.record({
	reference: fc.constantFrom(...REFERENCES),
	carrierCode: fc.constantFrom('ANT', 'ANT', 'ANT', 'BEAVER', 'CRANE'),
	pieceCount: fc.constantFrom(1, 1, 1, 2, 3),
	state: fc.constantFrom(
		...(['waiting', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting', 'refused'] as const),
		...(['new', 'canceled', 'moving', 'handedOver', 'refused', 'printed', 'unnumbered'] as const),
	),
});

const waysOf = (operation: string, ...ways: string[]) => ways.map((way) => ({ operation, way }));
const WAYS = [
	...waysOf('cancel', 'ids', 'numbers', 'orderNumbers'),
	...waysOf('cancel', 'numbers', 'orderNumbers'),
	...waysOf('handOver', 'ids', 'orderNumbers', 'all', 'allCarriers'),
	...waysOf('handOver', 'all', 'orderNumbers'),
	...waysOf('createFiles', 'ids', 'orderNumbers', 'notPrinted'),
	...waysOf('sendToPrinter', 'hash', 'shipments', 'orderNumbers', 'notPrinted'),
];
/** Each item of a mixed run is chosen in the next way. */
const MIXED: Readonly<Record<string, readonly string[]>> = {
	cancel: ['ids', 'orderNumbers', 'numbers'],
	handOver: ['ids', 'orderNumbers', 'all'],
	createFiles: ['ids', 'orderNumbers', 'notPrinted'],
	sendToPrinter: ['shipments', 'orderNumbers', 'notPrinted'],
};

const LAST = [
	...[...waysOf('cancel', 'ids', 'orderNumbers'), ...waysOf('handOver', 'ids', 'allCarriers')],
	...[...waysOf('createFiles', 'ids'), ...waysOf('sendToPrinter', 'shipments', 'notPrinted')],
];

const change = fc.record({
	what: fc.constant('change' as const),
	atMs: moment,
	worker,
	how: fc.constantFrom(...WAYS),
	/** The shipments of this run. */
	chosen: fc.oneof(fc.constant(255), fc.integer({ min: 1, max: 255 })),
	/** The shipments of a carrier are in one item; otherwise, each has its own. */
	isTogether: fc.boolean(),
	isMixed: fc.constantFrom(false, false, false, true),
	/** A hand-over is only previewed. */
	isDryRun: fc.constantFrom(false, false, false, true),
	withPieces: fc.constantFrom(false, false, false, true),
	skipsPrinted: fc.boolean(),
	printers: fc.array(fc.constantFrom(ZEBRA, ZEBRA, 'Warehouse A4', 'Front Desk', 'Attic'), {
		minLength: 1,
		maxLength: 2,
	}),
});

/** Of all shipments, at the beginning. */
const plainChange: Omit<Of<typeof change>, 'worker' | 'how'> = {
	...{ what: 'change', atMs: 0, chosen: 255, isTogether: true, isMixed: false, isDryRun: false },
	...{ withPieces: false, skipsPrinted: false, printers: [ZEBRA] },
};

/** Two workers hand over different shipments, so that either may find the hand-over of the other one. */
const handOversAtOnce = moment.map((atMs) =>
	[0b01010101, 0b10101010].map((chosen, of) => ({
		...{ ...plainChange, atMs, worker: of, chosen, how: { operation: 'handOver', way: 'ids' } },
	})),
);

const fromOutside = fc.record({
	what: fc.constant('carrier' as const),
	atMs: moment,
	does: fc.constantFrom('takes', 'refuses', 'assigns', 'cancels'),
	/** All shipments with 0. */
	shipment: fc.nat({ max: 8 }),
});

const creation = fc.record({ what: fc.constant('create' as const), atMs: moment, worker });

/** A history has few requests that change something, and many that read. */
const fault = fc.oneof(
	often(
		3,
		faultsAt('cancel', 'handOver', 'handOver', 'print').map((each) => ({
			...each,
			nth: Math.ceil(each.nth / 2),
		})),
	),
	often(
		2,
		faultsAt('list', 'detail').map((each) => ({ ...each, nth: 2 * each.nth - 1 })),
	),
	often(1, faultsAt('handOvers', 'labels', 'files')),
);

const records = fc.record({
	service: servicesOfChanges,
	...ofRuns,
	shipments: fc.array(shipment, { minLength: 1, maxLength: 8 }),
	form: fc.record({
		maxParallelRequests: fc.constantFrom(4, 4, 1),
		maxRetryWait: fc.constantFrom(60, 5, 0, 0),
	}),
	acts: fc
		.array(
			fc.oneof(
				often(9, change),
				often(3, fromOutside),
				often(2, retry),
				often(1, interruption),
				often(1, creation),
				often(1, handOversAtOnce),
			),
			{ minLength: 2, maxLength: 5 },
		)
		.map((acts) => acts.flat()),
	/** In good weather, for all shipments. */
	last: fc.constantFrom(...LAST),
	faults: fc.oneof(
		often(1, fc.constant<Fault[]>([])),
		often(5, fc.array(fault, { minLength: 1, maxLength: 4 })),
	),
});

type History = Of<typeof records>;

/** Two workers do this for all shipments at the same moment, before what happens else. */
const twice =
	(operation: string, way: string, more: Partial<Of<typeof change>> = {}) =>
	({ acts }: History) => ({
		acts: [
			...[0, 1].map((of) => ({ ...plainChange, worker: of, how: { operation, way }, ...more })),
			...acts,
		],
	});
const outside =
	(does: Of<typeof fromOutside>['does']) =>
	({ acts }: History) => ({
		acts: [...acts, { what: 'carrier' as const, atMs: 30_000, does, shipment: 0 }],
	});
const withShipments =
	(more: Partial<Of<typeof shipment>>) =>
	({ shipments }: History) => ({ shipments: shipments.map((each) => ({ ...each, ...more })) });

export const histories = withCombinations(records, [
	twice('cancel', 'orderNumbers'),
	twice('cancel', 'numbers', { isTogether: false }),
	twice('cancel', 'ids'),
	twice('handOver', 'all'),
	twice('handOver', 'orderNumbers'),
	twice('createFiles', 'notPrinted'),
	twice('sendToPrinter', 'orderNumbers', { skipsPrinted: true }),
	twice('sendToPrinter', 'hash'),
	outside('takes'),
	outside('cancels'),
	outside('assigns'),
	withShipments({ pieceCount: 2 }),
	withShipments({ reference: 'W-1' }),
	withShipments({ carrierCode: 'ANT' }),
	withShipments({ state: 'unnumbered' }),
	withShipments({ state: 'printed' }),
	...habitsOf('cancelsPiecesAlone', 'handOverCountsPieces', 'uncountedHandOver'),
	...habitsOf('listsWithoutStates'),
	...withFaults('cancel', /^(carried out: reset|carried out late|half carried out)/, 1),
	...withFaults('cancel', /^some row missing/, 9),
	...withFaults('handOver', /^(carried out: reset|carried out late|half carried out)/, 1),
	...thingsOfRuns,
]);

type Change = Pick<Of<typeof change>, 'worker' | 'how'> & Partial<Of<typeof change>>;

export async function play(history: History, world: Simulation): Promise<void> {
	const player = new Player(history, world);
	await world.playActs(history.acts, async (act) => player.play(act));
	player.rules.checkRuns();
	const last = player.startLast();
	if (!last) return;
	await world.play(last.over);
	player.rules.checkEnd(last);
}

class Player {
	readonly rules: ChangesRules;
	private readonly mains: SandboxShipment[] = [];

	constructor(
		private readonly history: History,
		private readonly world: Simulation,
	) {
		this.rules = new ChangesRules(world);
		for (const each of history.shipments) this.seed(each);
		this.rules.observe();
	}

	private seed({ carrierCode, reference, state, ...each }: Of<typeof shipment>): void {
		const { service } = this.world;
		const pieces = service.seedShipments(1, {
			serviceType: SERVICE_OF[carrierCode] ?? '',
			packageNumberCustom: reference,
			pieceCount: carrierCode === 'BEAVER' ? 1 : each.pieceCount,
			hoursAgo: state === 'moving' ? 30 : state === 'new' ? 0 : 0.1,
		});
		const [main] = pieces as [SandboxShipment];
		this.mains.push(main);
		if (state === 'canceled') service.cancelShipment(main.id);
		// Those on their way count as handed over in the records as well.
		if (state === 'handedOver' || state === 'moving') service.handOver(main.id);
		if (state === 'refused') this.rules.refuse(main.id);
		if (state === 'printed') service.markPrinted(main.id);
		if (state === 'unnumbered') for (const { id } of pieces) service.withholdNumber(id);
	}

	async play(act: History['acts'][number]): Promise<void> {
		const { world, rules } = this;
		switch (act.what) {
			case 'change': {
				const mains = this.mains.filter((_, index) => act.chosen & (1 << index));
				return await this.change(act, mains)?.over;
			}
			case 'create': {
				const { reference = '', carrierCode = '' } = this.history.shipments[0] ?? {};
				const items = [orderOf(carrierCode, reference), orderOf('ANT', 'W-5')];
				const { onError } = this.history;
				const settings = { parameters: creationForm(), items, onError };
				const asked = { operation: 'create', way: '', items };
				return await world.start<Asked>(act.worker, asked, settings).over;
			}
			case 'carrier':
				for (const [index, main] of this.mains.entries()) {
					if (act.shipment === 0 || act.shipment === index + 1) this.actOutside(main, act.does);
				}
				return rules.observe();
			case 'retry': {
				const first = rules.runs[act.run];
				if (!first?.result?.error) return;
				// In half of the histories, the person corrects the printers to one that works.
				const { settings: before } = first;
				const corrected = { ...before.parameters, printerName: ZEBRA };
				const isCorrected = this.history.luck % 2 === 1;
				const settings = { ...before, ...(isCorrected ? { parameters: corrected } : {}) };
				return await world.start(act.worker, first.asked, settings, { retryOf: first }).over;
			}
			default:
				return world.interrupt(act);
		}
	}

	/** Changes these shipments in the way that was drawn. */
	private change(
		{ worker: at, ...change }: Change,
		mains: readonly SandboxShipment[],
		{ onError, tries, form: limits } = this.history,
		more: { name?: string } = {},
	): Run<Asked> | undefined {
		const items = this.itemsOf(change, mains);
		this.rules.observe();
		if (items.length === 0) return undefined;
		const settings = { parameters: formOf(change), items, onError, tries, limits };
		return this.world.start<Asked>(at, { ...change, ...change.how, items }, settings, more);
	}

	/** In good weather, one run does everything that is possible. */
	startLast(): Run<Asked> | undefined {
		const how = this.history.last;
		const withPieces = isOfLabels(how);
		const { shipments } = this.world.service.database;
		const living = new Set(shipments().flatMap(({ id, canceled }) => (canceled ? [] : id)));
		const mains = this.mains.filter(({ id }) => !withPieces || living.has(id));
		const history = { ...this.history, onError: 'continueErrorOutput' as const };
		return this.change({ worker: 0, how, withPieces }, mains, history, { name: 'last run' });
	}

	private itemsOf(
		{ how, isMixed, isTogether, withPieces, printers = [ZEBRA] }: Omit<Change, 'worker'>,
		mains: readonly SandboxShipment[],
	): IDataObject[] {
		const { operation, way } = how;
		const mixed = isMixed ? (MIXED[operation] ?? []) : [];
		if (way === 'allCarriers') return [{ from: 'all carriers' }];
		if (way === 'notPrinted') return [{ printer: printers[0] ?? '' }];
		const carriers = [...new Set(mains.map(({ carrierCode }) => carrierCode))];
		if (way === 'all') return carriers.map((carrierCode) => ({ carrierCode }));
		const { database, state } = this.world.service;
		const ids = new Set(mains.map(({ id }) => id));
		const pieces = database
			.shipments()
			.filter(({ id, mainId }) => ids.has(withPieces ? mainId : id));
		const numbers = new Map(state().shipments.map((each) => [each.id, each.packageNumberCarrier]));
		const hashes = way === 'hash' ? this.createLabels(pieces) : undefined;
		const groups = isTogether
			? carriers.map((code) => pieces.filter(({ carrierCode }) => carrierCode === code))
			: pieces.map((piece) => [piece]);
		// The records say which carrier has an ID or a tracking number.
		const isUnsaid = /^(cancel|handOver)$/.test(operation) && this.history.luck % 3 === 0;
		return groups.map((group, index) => ({
			...(isUnsaid ? {} : { carrierCode: group[0]?.carrierCode ?? '' }),
			id: group.map(({ id }) => id).join(', '),
			number: group.flatMap(({ id }) => (numbers.get(id) as string | null) ?? []).join(', '),
			reference: group.map((each) => each.packageNumberCustom).join(', '),
			hash: hashes?.get(group[0]?.carrierCode) ?? '',
			printer: printers[index % printers.length] ?? '',
			...(isMixed ? { way: mixed[index % mixed.length] } : {}),
		}));
	}

	/** A person has created label files before. Returns the hash of each carrier. */
	private createLabels(pieces: readonly SandboxShipment[]): Map<unknown, string> {
		const packages = pieces.filter(({ canceled }) => !canceled).map(({ id }) => id);
		const { result = [] } = this.world.ask('/Label/Print/?type=pdf', { packages }) as {
			result?: Array<{ carrierCode: string; hash: string }>;
		};
		this.rules.noteLabels(packages, result);
		return new Map(result.map(({ carrierCode, hash }) => [carrierCode, hash]));
	}

	private actOutside({ id, carrierCode }: SandboxShipment, does: string): void {
		const { service } = this.world;
		const pieces = service.database.shipments().filter(({ mainId }) => mainId === id);
		const isOpen = pieces.every(({ canceled, handedOver }) => !canceled && !handedOver);
		this.world.note(`from outside: ${carrierCode} ${does} ${id}`);
		if (does === 'assigns') for (const piece of pieces) service.withholdNumber(piece.id, false);
		if (does === 'refuses') this.rules.refuse(id);
		if (does === 'takes' && isOpen) service.handOver(id);
		if (does === 'cancels' && isOpen) service.cancelShipment(id);
	}
}

function formOf({ how, ...more }: Omit<Change, 'worker'>): INodeParameters {
	const { operation, way } = how;
	const shown = way === 'allCarriers' ? 'all' : way;
	return {
		resource: isOfLabels(how) ? 'label' : 'shipment',
		operation: operation === 'createFiles' ? 'create' : operation,
		[operation === 'sendToPrinter' ? 'labels' : 'shipments']: more.isMixed
			? `={{ $json.way || '${shown}' }}`
			: shown,
		carrierCode: '={{ $json.carrierCode }}',
		shipmentIds: '={{ $json.id }}',
		packageNumber: '={{ $json.number }}',
		orderNumber: '={{ $json.reference }}',
		hash: '={{ $json.hash }}',
		printerName: '={{ $json.printer }}',
		options: operation === 'handOver' && more.isDryRun ? { dryRun: true } : {},
		...(more.skipsPrinted && operation === 'sendToPrinter' && way === 'orderNumbers'
			? { skipPrinted: true }
			: {}),
	} as INodeParameters;
}
