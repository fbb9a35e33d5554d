import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import type { TrackingEvent } from '../../contract/types.generated';
import { localSecond } from '../../sandbox/domain/clock';
import { PollHost } from '../support/pollHost';
import { type Of, often, withCombinations } from './acts';
import { type Fault, faultsAt, withFaults } from './faults';
import { sendAs } from './network';
import { habitsOf, type Service, services } from './services';
import type { Simulation } from './simulation';
import { waitMs } from './time';
import { hidesNumbers, MINUTE_MS, MOVING, TriggerRules } from './triggerRules';

const YEAR_MS = 366 * 24 * 60 * MINUTE_MS;

const SERVICE_TYPES = 'ANT-HOME ANT-HOME ANT-POINT BEAVER-PARCEL CRANE-EU SNAIL-PALLET DODO-DAY';
const newShipment = fc.record({
	serviceType: fc.constantFrom(...SERVICE_TYPES.split(' ')),
	pieceCount: fc.constantFrom(1, 1, 1, 2),
	cod: fc.constantFrom(false, false, true),
	hasOrder: fc.constantFrom(false, false, true),
	/** The carrier assigns the number later. */
	isUnnumbered: fc.constantFrom(false, false, false, false, true),
});
const existingShipment = fc.tuple(newShipment, fc.integer({ min: 0, max: 40 }));

/** What the events of carriers say. Two codes are two events in one second. */
const EVENTS: Readonly<Record<string, Partial<TrackingEvent>>> = {
	...{ 340: { category: 'TransitOnTheWay' }, 341: { category: 'TransitOnTheWay' } },
	...{ 342: { category: 'TransitOnTheWay' }, 345: { category: 'Weather' } },
	...{ 350: { category: 'TransitReady' }, 351: { category: 'transitready' } },
	...{ 360: { category: 'DeliveredPickup' }, 400: { category: 'ErrorRecepient' } },
	900: { category: 'Delivered', delivered: true },
	901: { category: 'DeliveredPickup', delivered: true },
	...{ 910: { category: 'DeliveringBack' }, 920: { category: 'DeliveredBack' } },
	921: { category: 'DeliveredBack', delivered: true },
	990: { category: 'CancelSender', canceled: true },
};
const codes = fc.oneof(
	often(3, fc.constantFrom(['340'], ['340'], ['350'], ['350'], ['351'], ['360'])),
	often(2, fc.constantFrom(['340', '341'], ['350', '341'], ['345'], ['400'], ['400', '360'])),
	often(1, fc.constantFrom(['900'], ['901'], ['910'], ['920'], ['921'], ['990'])),
);
const minutesOld = fc.oneof(
	often(3, fc.constant(0)),
	often(3, fc.integer({ min: 1, max: 3_000 })),
	often(1, fc.constant(null)),
);
const shipment = fc.nat({ max: 9 });
const mode = fc.constantFrom('default' as const, 'durable' as const);
const selection = fc.constantFrom('all' as const, 'all' as const, 'moving' as const);

/** What happens before an act: some polls, and then a time in which the last one may still run. */
const before = fc.record({
	polls: fc.constantFrom(0, 1, 1, 1, 2, 3, 5),
	everyMinutes: fc.constantFrom(1, 1, 1, 1, 5, 10, 20, 60, 600),
	/** A shipment with an event right before the last of these polls. */
	news: fc.option(shipment, { freq: 3 }),
	afterPollMs: fc.oneof(
		often(4, fc.integer({ min: 0, max: 400 })),
		often(3, fc.integer({ min: 400, max: 4_000 })),
		often(1, fc.integer({ min: 4_000, max: 30_000 })),
		often(
			3,
			fc.integer({ min: 1, max: 50 }).map((minutes) => minutes * MINUTE_MS),
		),
	),
});

function actOf<const What extends string, Fields = object>(
	weight: number,
	what: What,
	fields = {} as { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
	const parts = fc.tuple(before, fc.record(fields) as fc.Arbitrary<Fields>);
	return often(
		weight,
		parts.map(([when, other]) => ({ what, ...when, ...other })),
	);
}

const act = fc.oneof(
	actOf(2, 'poll'),
	actOf(4, 'kill', {
		isRenamed: fc.boolean(),
		mode: fc.option(mode, { freq: 2 }),
		downMinutes: fc.constantFrom(0, 1, 90),
	}),
	actOf(4, 'publish', {
		how: fc.constantFrom('update', 'update', 'activate', 'afterPause'),
		isRenamed: fc.boolean(),
		/** n8n goes on polling with the version before. */
		isLeaking: fc.constantFrom(false, false, true),
	}),
	actOf(2, 'select', { selection }),
	actOf(2, 'filter', { watch: fc.constantFrom('account', 'carrier') }),
	actOf(1, 'test'),
	actOf(1, 'credential'),
	actOf(4, 'create', { added: newShipment, hoursAgo: fc.constantFrom(0, 0, 0, 0, 20) }),
	actOf(12, 'event', { shipment, minutesOld, codes }),
	actOf(2, 'repeat', { shipment }),
	actOf(1, 'cancel', { shipment }),
	actOf(1, 'changeNumber', { shipment }),
	actOf(2, 'refuse', { shipment, how: fc.constantFrom('named', 'unnamed', 'crash') }),
	actOf(2, 'accept'),
	actOf(1, 'carrier', { shuffled: fc.boolean(), repeated: fc.boolean() }),
	actOf(1, 'settle'),
);
type Act = Of<typeof act>;
type ActOf<What> = Extract<Act, { what: What }>;

/** Requests are counted through the whole history, which has about seventy. */
const fault = (max: number, ...at: Array<Fault['at']>): fc.Arbitrary<Fault> =>
	fc
		.tuple(faultsAt(...at), fc.integer({ min: 1, max }), fc.constantFrom(1, 1, 2, 3, 5, 9))
		.map(([one, nth, times]) => ({ ...one, nth, times }));

const records = fc.record({
	service: fc
		.tuple(services, fc.constantFrom(6, 40))
		.map(([service, stepHours]): Service => ({ ...service, stepHours })),
	luck: fc.nat({ max: 1_000_000 }),
	/** Two of them are just before a daylight saving change. */
	startsAt: fc.constantFrom('2026-03-28T09:00Z', '2026-06-10T09:00Z', '2026-10-24T09:00Z'),
	faults: fc.array(
		fc.oneof(often(3, fault(40, 'track', 'list')), often(1, fault(15, 'detail', 'offers'))),
		{ maxLength: 4 },
	),
	mode,
	/** Whether the form has the timezone of the provider. Otherwise, the account has it, or else the workflow. */
	isZoneInForm: fc.boolean(),
	form: fc.record({
		oncePerOrder: fc.constantFrom(false, false, true),
		simplify: fc.boolean(),
	}),
	options: fc.record({
		startFrom: fc.constantFrom('now', 'now', 'existing'),
	}),
	watch: fc.constantFrom('account', 'account', 'carrier'),
	selection,
	/** The days of No Movement and Waiting for Pickup; null if they are not selected. */
	limits: fc.option(
		fc.record({ noMovement: fc.constantFrom(1, 2), waitingForPickup: fc.constant(1) }),
		{ freq: 2 },
	),
	existing: fc.array(existingShipment, { maxLength: 4 }),
	acts: fc.array(act, { minLength: 4, maxLength: 24, size: 'max' }),
});
export type TriggerHistory = Of<typeof records>;

const withExisting =
	(more: Partial<Of<typeof newShipment>>) =>
	({ existing }: TriggerHistory) => ({
		existing: existing.map(
			([each, hoursAgo]): Of<typeof existingShipment> => [{ ...each, ...more }, hoursAgo],
		),
	});
const withActs =
	(change: (act: Act) => Act | Act[]) =>
	({ acts }: TriggerHistory) => ({ acts: acts.flatMap(change).slice(0, 24) });
const kill = { what: 'kill' as const, isRenamed: false, mode: null, downMinutes: 1 as const };

export const histories = withCombinations(records, [
	({ form }) => ({ form: { ...form, oncePerOrder: true } }),
	() => ({ options: { startFrom: 'existing' as const } }),
	withExisting({ pieceCount: 2 }),
	withExisting({ isUnnumbered: true }),
	withExisting({ serviceType: 'CRANE-EU' }),
	withActs((act) => [act, { ...act, ...kill }]),
	withActs((act) => ({ ...act, everyMinutes: 600 })),
	withActs((act) => ({ ...act, polls: 3, news: 0 })),
	...habitsOf('listsWithoutReferences', 'listsWithoutNumbers', 'listLagMs', 'maxPageLength'),
	...habitsOf('numbersAfterMs', 'listsOnlyMain', 'ignoresCarrierFilter', 'withoutExtras'),
	...withFaults(
		'track',
		/429$|^some row missing|one number fails|events missing|a row is null/,
		20,
	),
	...withFaults('track', /^carried out: half$/, 9),
	...withFaults('list', /^refused: 403|^some row missing|^carried out: status502/, 9),
	() => ({ mode: 'durable' as const }),
	() => ({ selection: 'moving' as const }),
	() => ({ limits: { noMovement: 1 as const, waitingForPickup: 1 as const } }),
]);

export async function play(history: TriggerHistory, world: Simulation): Promise<void> {
	const player = new TriggerPlayer(history, world);
	await world.play(player.play(), YEAR_MS);
	const [broken] = player.rules.broken;
	if (broken !== undefined) throw new Error(broken);
}

class TriggerPlayer {
	readonly rules: TriggerRules;
	private readonly host: PollHost;
	private parameters: INodeParameters;
	private polls = 0;

	/** Polls that are running, or that n8n is saving. */
	private readonly running = new Set<string>();

	/** The latest activation, with everything before it. */
	private activating: Promise<void> | undefined;

	/** Polls of versions that were replaced. */
	private leaked: Array<() => Promise<void>> = [];

	/** The event that was added last to each shipment. */
	private readonly added = new Map<number, Partial<TrackingEvent>>();

	constructor(
		private readonly history: TriggerHistory,
		private readonly world: Simulation,
	) {
		this.rules = new TriggerRules(history, world);
		for (const [shipment, hoursAgo] of history.existing) this.create(shipment, hoursAgo);
		this.parameters = parametersOf(history);
		const save = async () => waitMs([1, 20, 500, 3_000][Math.floor(Math.random() * 4)] ?? 1);
		this.host = new PollHost(history.mode, world.credential, () => world.worker(0).trigger, save);
		// If the provider does not respond to the first request for it, the zone of the workflow counts.
		const isZoneInAccount =
			!history.service.habits.includes('withoutExtras') &&
			history.faults.every(({ at }) => at !== 'offers');
		if (history.isZoneInForm || isZoneInAccount) this.host.timezone = 'America/New_York';
		this.host.onExecution = (items, isLost) => {
			world.note(`n8n ${isLost ? 'has lost' : 'starts'} an execution: ${describe(items)}`);
			this.rules.readExecution(items, isLost);
		};
		// The trigger waits five seconds for the timezone.
		world.network.longestTripMs = 2_400;
		world.network.onDone = (exchange) => this.rules.readExchange(exchange);
	}

	async play(): Promise<void> {
		const { world, rules } = this;
		await this.activate('activate');
		for (const act of this.history.acts) {
			for (let left = act.polls; left > 0; left--) {
				await waitMs(act.everyMinutes * MINUTE_MS);
				if (left === 1 && act.news !== null) this.addEvents(act.news, ['342'], 0);
				void this.tick();
			}
			await waitMs(act.afterPollMs);
			world.note(JSON.stringify(act));
			await this.perform(act);
			if (rules.broken.length > 0) return;
		}
		world.heal();
		await this.settle();
		// Long enough for every period, and for what does not fit into one poll.
		for (const minutes of [26 * 60, 1, 1, 1, 48 * 60, 1, 1, 1]) await this.tickAfter(minutes);
		rules.checkDue();
	}

	private async tickAfter(minutes: number): Promise<void> {
		await waitMs(minutes * MINUTE_MS);
		await this.tick();
	}

	private async tick(): Promise<void> {
		const { host, leaked } = this;
		if (!host.isPublished) return;
		const pollLater = async (poll: () => Promise<void>) => {
			await waitMs(MINUTE_MS / 2);
			if (this.leaked === leaked) await this.poll('leaked poll', poll);
		};
		for (const poll of leaked) void pollLater(poll);
		await this.poll('poll', async () => host.tick());
	}

	/**
	 * Lets n8n poll, and checks what the workflow has got when everything is saved. It never resolves if n8n
	 * is killed meanwhile.
	 */
	private async poll(what: string, work: () => Promise<void>) {
		const { world, rules, host, running } = this;
		const worker = world.worker(0);
		const run = `${what} ${++this.polls}`;
		const startedMs = Date.now();
		const budgetMs = host.budgetMs[what === 'poll' ? host.mode : 'default'];
		const failures = host.failures.length;
		world.note(`${run} begins`);
		rules.note();
		running.add(run);
		const failure = await sendAs({ worker, run }, work).then(
			() => undefined,
			(thrown: Error) => thrown,
		);
		const tookMs = Date.now() - startedMs;
		if (!worker.isGone) world.note(`${run} ends${failure ? `: ${failure.message}` : ''}`);
		await host.saved();
		if (worker.isGone) return await new Promise<never>(() => {});
		running.delete(run);
		if (tookMs > budgetMs) rules.fail.time(`${run} took ${tookMs / 1000} seconds`);
		rules.checkTrouble(run, host.failures.slice(failures), startedMs);
		// Another poll may have what is due.
		const isLast = running.size === 0 && what !== 'leaked poll';
		if (isLast && !failure && host.isPublished) rules.checkDue(startedMs);
		const exchanges = world.network.exchanges.filter(({ sender }) => sender.run === run);
		return { startedMs, exchanges, failure };
	}

	/** Publishes the workflow or starts n8n. A person publishes again what could not be published. */
	private async activate(how: WorkflowActivateMode, prepare = () => {}): Promise<void> {
		const { host, rules, world, activating: before } = this;
		const worker = world.worker(0);
		const activate = async () => {
			await before;
			// n8n was killed before it published.
			if (worker.isGone) return;
			prepare();
			for (let by = how; !worker.isGone; by = 'activate') {
				const run = async () => host.publish(this.parameters, by);
				const { failure, exchanges, startedMs } = await this.poll(by, run);
				if (!failure) return rules.readStart(startedMs, exchanges);
				rules.checkActivation(by, failure, exchanges);
				// Nobody can publish a list in which the provider accepts nothing.
				this.acceptNumbers();
				host.unpublish();
				await waitMs(10 * MINUTE_MS);
			}
		};
		await (this.activating = activate());
	}

	private async perform(act: Act): Promise<void> {
		const { rules, world, history } = this;
		const { service } = world;
		const piece = 'shipment' in act ? this.pieceAt(act.shipment) : undefined;
		if ('shipment' in act && !piece) return;
		const { id = 0, packageNumberCarrier: number = '' } = piece ?? {};
		switch (act.what) {
			case 'poll':
				return void this.tick();
			case 'kill':
				return await this.kill(act);
			case 'publish':
				return await this.publish(act);
			case 'select':
				return void this.activate('update', () => {
					rules.select(act.selection);
					this.parameters = { ...this.parameters, events: eventsOf(act.selection, history) };
				});
			case 'filter':
				rules.noteTrouble();
				return void this.activate('update', () => {
					rules.filter(act.watch);
					this.parameters = { ...this.parameters, filters: filtersOf(act.watch) };
				});
			case 'credential':
				rules.noteTrouble();
				return void this.activate('update', () => {
					rules.selectAgain();
					// Another credential may be of another account, which the node cannot know.
					this.host.credentialId = `${Number(this.host.credentialId) + 1}`;
				});
			case 'test':
				return void this.fetchTestEvent();
			case 'create':
				return this.create(act.added, act.hoursAgo);
			case 'event':
				return this.addEvents(act.shipment, act.codes, act.minutesOld);
			case 'repeat':
				// With another number in it, it is another event.
				if (!this.added.has(id) || rules.hasChangedNumber(id)) return;
				return service.addEvent(number, { ...this.added.get(id), name: 'In other words' });
			case 'cancel':
				return piece?.canceled ? undefined : service.cancelShipment(id);
			case 'changeNumber':
				// A list without numbers does not show that one has changed.
				if (!number || hidesNumbers(history.service)) return;
				return rules.changeNumber(id, `${number}-${++this.polls}`);
			case 'refuse':
				rules.hinder(id);
				return void service.poisonNumber(number, act.how);
			case 'accept':
				return this.acceptNumbers();
			case 'carrier':
				return service.setTracking('ANT', { shuffled: act.shuffled, repeated: act.repeated });
			case 'settle':
				return await this.settle();
		}
	}

	private pieceAt(index: number): SandboxShipment | undefined {
		const pieces = this.world.service.database.shipments();
		return pieces[index % pieces.length];
	}

	private addEvents(index: number, added: readonly string[], minutesOld: number | null): void {
		const piece = this.pieceAt(index);
		if (!piece) return;
		const date = minutesOld === null ? '' : localSecond(Date.now() - minutesOld * MINUTE_MS);
		for (const code of added) {
			const event = { date, code, ...EVENTS[code] };
			this.added.set(piece.id, event);
			this.world.service.addEvent(piece.packageNumberCarrier, event);
		}
	}

	private async kill({ downMinutes, isRenamed, mode }: ActOf<'kill'>): Promise<void> {
		const { host, world, rules } = this;
		world.kill(0);
		host.kill();
		this.running.clear();
		this.activating = undefined;
		this.leaked = [];
		await waitMs(downMinutes * MINUTE_MS);
		rules.noteTrouble();
		host.mode = mode ?? host.mode;
		// A new version may be published before n8n activates the one that was published.
		if (isRenamed) this.rename();
		void this.activate(host.isPublished ? (isRenamed ? 'update' : 'init') : 'activate');
	}

	private async publish({ how, isRenamed, isLeaking }: ActOf<'publish'>): Promise<void> {
		const { host, rules } = this;
		if (how === 'afterPause') {
			await this.activating;
			host.unpublish();
			this.running.clear();
			await waitMs(90 * MINUTE_MS);
		}
		// n8n discards what a running poll has found. A later poll finds it again.
		rules.noteTrouble();
		void this.activate(how === 'update' ? 'update' : 'activate', () => {
			if (isLeaking && host.mode === 'default') this.leaked = [...this.leaked, host.leak()];
			if (isRenamed) this.rename();
		});
	}

	private rename(): void {
		this.host.nodeName = this.host.nodeName === 'Trigger' ? 'Renamed' : 'Trigger';
	}

	/** Polls until everything must have come. n8n's default mode saves it with the activation. */
	private async settle(): Promise<void> {
		await this.activating;
		this.acceptNumbers();
		for (const minutes of [1, 15, 60]) await this.tickAfter(minutes);
		await this.activate('update');
		this.rules.settle();
	}

	private async fetchTestEvent(): Promise<void> {
		const { host, world, rules } = this;
		const worker = world.worker(0);
		const run = `test ${++this.polls}`;
		await sendAs({ worker, run }, async () => host.fetchTestEvent(this.parameters)).then(
			(items) => rules.readSample((items ?? []).map((json) => ({ json }))),
			({ name, message, stack = message }: Error) => {
				world.note(`${run} fails: ${message}`);
				if (!/^Node(Api|Operation)Error$/.test(name)) rules.fail.cause(`${run} threw ${stack}`);
			},
		);
	}

	private create(shipment: Of<typeof newShipment>, hoursAgo: number): void {
		const { service } = this.world;
		const { serviceType, pieceCount, cod, hasOrder, isUnnumbered } = shipment;
		const pieces = service.seedShipments(1, {
			...{ serviceType, pieceCount, hoursAgo },
			packageNumberCustom: `W-${service.database.shipments().length + 1}`,
			...(serviceType === 'ANT-POINT' ? { branchId: 'P-001' } : {}),
			...(cod ? { cod, codPrice: 99, codCurrency: 'CZK' } : {}),
			...(hasOrder ? { orderId: 501 } : {}),
		});
		for (const piece of pieces) {
			this.rules.add(piece, Date.now() - hoursAgo * 60 * MINUTE_MS);
			// A carrier may number the main piece first.
			if (!isUnnumbered || (pieceCount > 1 && piece.id === piece.mainId)) continue;
			service.withholdNumber(piece.id);
			this.rules.hinder(piece.id);
		}
	}

	/** Each shipment gets a number, and the provider accepts it. */
	private acceptNumbers(): void {
		const { service } = this.world;
		for (const { id, packageNumberCarrier } of service.database.shipments()) {
			service.withholdNumber(id, false);
			service.acceptNumber(packageNumberCarrier);
		}
		this.rules.free();
	}
}

function parametersOf(history: TriggerHistory): INodeParameters {
	const { form, options, watch, limits, isZoneInForm } = history;
	return {
		...form,
		...{ options, events: eventsOf(history.selection, history) },
		daysWithoutMovement: limits?.noMovement ?? 5,
		daysWaitingForPickup: limits?.waitingForPickup ?? 3,
		filters: filtersOf(watch),
		timezone: isZoneInForm ? 'Europe/Prague' : '',
	};
}

const filtersOf = (watch: TriggerHistory['watch']): INodeParameters =>
	watch === 'carrier' ? { carrierCodes: ['ANT'] } : {};

function eventsOf(selection: TriggerHistory['selection'], { limits }: TriggerHistory): string[] {
	const types = selection === 'all' ? ['all'] : MOVING;
	return [...types, ...(limits ? ['noMovement', 'waitingForPickup'] : [])];
}

const describe = (items: INodeExecutionData[]) =>
	items.map(({ json }) => `\n        ${JSON.stringify(json)}`).join('');
