import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';

import type { Sandbox, SandboxShipment } from '../../sandbox';
import type { TrackingEvent } from '../../sandbox/contract.generated';
import { EventRules, localSecond, MOVING } from './eventRules';
import type { PollHost } from './poll';
import { refuseNumber } from './refusedNumbers';
import { SERVICE_KINDS } from './services';

// What happens to the trigger, the service and the shipments in a random history.

const MINUTE_MS = 60_000;

type Of<Generator> = Generator extends fc.Arbitrary<infer Value> ? Value : never;

const serviceType = fc.constantFrom('ANT-HOME', 'BEAVER-PARCEL', 'SNAIL-PALLET', 'DODO-DAY');
const pieceCount = fc.constantFrom(1, 1, 1, 2);
const shipment = fc.nat({ max: 7 });
const selection = fc.constantFrom('all', 'all', 'moving');
const minutes = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
	{ weight: 2, arbitrary: fc.integer({ min: 21, max: 600 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 601, max: 3_000 }) },
);
const minutesOld = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
	{ weight: 1, arbitrary: fc.constant(null) },
);

/** Each code has one category. Two codes are two events in one second. */
const CATEGORIES: Record<string, string> = {
	...{ 340: 'TransitOnTheWay', 341: 'TransitOnTheWay', 350: 'TransitReady' },
	...{ 360: 'DeliveredPickup', 900: 'Delivered', 901: 'DeliveredPickup', 920: 'DeliveredBack' },
};
const DELIVERED = ['900', '901'];
const codes = fc.constantFrom(
	...[['340'], ['340'], ['340'], ['350'], ['350'], ['350']],
	...[['340', '341'], ['350', '341'], ['360'], ['360'], ['900'], ['901'], ['920'], ['920']],
);

/** `rowFails` and `limited` change a correct response: one row failed, and events are omitted. */
const faultOf = <Kind>(kind: fc.Arbitrary<Kind>) =>
	fc.record({
		kind,
		operation: fc.constantFrom('trackShipments', 'findShipments', 'getShipment', '*'),
		times: fc.integer({ min: 1, max: 5 }),
	});
const FAILURES = ['status', 'rateLimit', 'halfBody', 'reset', 'latency', 'rowFails'] as const;
const fault = faultOf(fc.constantFrom(...FAILURES, 'html', 'limited'));

function stepOf<const What extends string, Fields = object>(
	weight: number,
	what: What,
	fields = {} as { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
	const parts = fc.tuple(minutes, fc.record(fields) as fc.Arbitrary<Fields>);
	return { weight, arbitrary: parts.map(([wait, other]) => ({ what, minutes: wait, ...other })) };
}

const how = fc.constantFrom('update', 'activate', 'afterPause', 'duringPoll', 'duringPoll');
const step = fc.oneof(
	stepOf(12, 'poll'),
	stepOf(2, 'overlappingPolls'),
	stepOf(4, 'kill', { isDuringPoll: fc.boolean(), isRenamedFirst: fc.boolean() }),
	stepOf(4, 'republish', { how, isRenamed: fc.boolean() }),
	stepOf(2, 'select', { selection }),
	stepOf(4, 'create', { serviceType, pieceCount }),
	stepOf(10, 'event', { shipment, minutesOld, codes }),
	stepOf(2, 'repeat', { shipment }),
	stepOf(1, 'cancel', { shipment }),
	stepOf(2, 'refuse', { shipment, isNamed: fc.boolean() }),
	stepOf(3, 'fault', { fault }),
	stepOf(3, 'heal'),
	stepOf(1, 'settle'),
);
type Step = Of<typeof step>;

const records = fc.record({
	mode: fc.constantFrom('default', 'durable'),
	service: fc.constantFrom(...SERVICE_KINDS),
	/** Hours between two events that the service adds by itself. */
	stepHours: fc.constantFrom(6, 40),
	startFrom: fc.constantFrom('now', 'now', 'existing'),
	watch: fc.constantFrom('account', 'account', 'carrier', 'list'),
	freshness: fc.constantFrom('balanced', 'balanced', 'everyPoll'),
	selection,
	repeated: fc.constantFrom('all', 'all', 'first'),
	/** The days of No Movement and Waiting for Pickup; null if they are not selected. */
	limits: fc.option(
		fc.record({ noMovement: fc.constantFrom(1, 2), waitingForPickup: fc.constant(1) }),
		{ freq: 2 },
	),
	/** Two of them are just before a daylight saving change. */
	publishedAt: fc.constantFrom('2026-03-28T09:00Z', '2026-06-10T09:00Z', '2026-10-24T09:00Z'),
	existing: fc.array(
		fc.record({ serviceType, pieceCount, hoursAgo: fc.integer({ min: 1, max: 40 }) }),
		{ maxLength: 4 },
	),
	faultsAtStart: fc.oneof(
		{ weight: 3, arbitrary: fc.constant([]) },
		{ weight: 1, arbitrary: fc.array(faultOf(fc.constantFrom(...FAILURES)), { maxLength: 2 }) },
	),
	steps: fc.array(step, { minLength: 3, maxLength: 30 }),
});
export type History = Of<typeof records>;

/** The service may refuse a list in which nothing exists. Publishing then fails and says so. */
export const histories = records.filter(
	({ watch, existing }) => watch !== 'list' || existing.length > 0,
);

/** Plays a history and checks the rules at every poll. */
export class HistoryPlayer {
	readonly rules: EventRules;

	private readonly parameters: INodeParameters;

	/** The last event that was added to a shipment. */
	private readonly added = new Map<string, Partial<TrackingEvent>>();

	/** Whether a scheduled poll has saved what the first poll found. */
	private hasPolled = false;

	constructor(
		private readonly history: History,
		private readonly sandbox: Sandbox,
		private readonly host: PollHost,
		private readonly clock: { nowMs: number },
	) {
		clock.nowMs = Date.parse(history.publishedAt);
		for (const shipment of history.existing) sandbox.seedShipments(1, shipment);
		this.rules = new EventRules(history, clock.nowMs);
		this.parameters = parametersOf(history, sandbox);
	}

	async play(): Promise<string[]> {
		const { history, host, clock, rules } = this;
		for (const fault of history.faultsAtStart) this.setFault(fault);
		rules.isStartUnsure = history.faultsAtStart.length > 0;
		await this.poll(async () => await host.publish(this.parameters));
		for (const step of history.steps) {
			clock.nowMs += step.minutes * MINUTE_MS;
			await this.runStep(step);
			if (rules.errors.length > 0) return rules.errors;
		}
		await this.settle();
		// Long enough for every period.
		for (const hours of [26, 48]) await this.pollAfter(hours * 60);
		const crashes = host.failures.filter(({ name }) => name !== 'NodeApiError');
		return [...rules.errors, ...crashes.map(({ stack }) => `threw ${stack}`)];
	}

	/** Lets n8n poll, and compares what the service has with what the workflow gets. */
	private async poll(run: () => Promise<unknown>): Promise<void> {
		const { sandbox, clock, rules, host } = this;
		const note = async (shipment: SandboxShipment) => {
			const url = `${sandbox.home}/sandbox/tracking/${shipment.packageNumberCarrier}`;
			const { events } = (await (await fetch(url)).json()) as { events: TrackingEvent[] };
			rules.note(shipment, events, clock.nowMs);
		};
		await Promise.all(sandbox.database.shipments().map(note));
		const from = host.executions.length;
		await run();
		for (const items of host.executions.slice(from)) rules.readExecution(items, clock.nowMs);
		rules.checkDue(clock.nowMs);
	}

	private async pollAfter(minutes: number): Promise<void> {
		this.clock.nowMs += minutes * MINUTE_MS;
		await this.poll(async () => await this.host.tick());
	}

	/** Polls until everything must have come. n8n's default mode saves it with the activation. */
	private async settle(): Promise<void> {
		this.heal();
		for (const minutes of [1, 15, 60]) await this.pollAfter(minutes);
		await this.poll(async () => await this.host.republish());
		this.rules.settle(this.clock.nowMs);
	}

	private heal(): void {
		const { sandbox, rules, clock } = this;
		sandbox.clearFaults();
		if (rules.healthySince === Infinity || rules.refused.size > 0) rules.healthySince = clock.nowMs;
		rules.refused.clear();
	}

	private async runStep(step: Step): Promise<void> {
		const { host, sandbox, rules, clock } = this;
		const shipments = sandbox.database.shipments();
		const shipment = 'shipment' in step ? shipments[step.shipment % shipments.length] : undefined;
		const number = shipment?.packageNumberCarrier ?? '';
		if ('shipment' in step && !shipment) return;
		switch (step.what) {
			case 'poll':
				this.hasPolled ||= rules.healthySince < Infinity;
				return await this.poll(async () => await host.tick());
			case 'overlappingPolls':
				return await this.poll(async () => await Promise.all([host.tick(), host.tick()]));
			case 'kill':
				if (!this.hasPolled) {
					this.heal();
					rules.isStartUnsure = true;
				}
				return await this.change(step.isDuringPoll, async () => {
					host.kill();
					// A new version may be published before n8n activates the one that was published.
					if (!step.isRenamedFirst) return await host.boot();
					this.rename();
					await host.republish('update');
				});
			case 'republish':
				return await this.republish(step.how, step.isRenamed);
			case 'select':
				this.heal();
				this.parameters.events = eventsOf(step.selection, this.history);
				rules.select(step.selection);
				return await this.change(false, async () => {
					await host.republish('update', this.parameters);
				});
			case 'create':
				sandbox.seedShipments(1, { serviceType: step.serviceType, pieceCount: step.pieceCount });
				return;
			case 'event':
				for (const code of step.codes) {
					const { minutesOld } = step;
					const isDated = minutesOld !== null;
					const date = isDated ? localSecond(clock.nowMs - minutesOld * MINUTE_MS) : '';
					const delivered = DELIVERED.includes(code);
					const event = { date, code, category: CATEGORIES[code] ?? '', delivered };
					this.added.set(number, event);
					sandbox.addEvent(number, event);
				}
				return;
			case 'repeat':
				if (this.added.has(number)) {
					sandbox.addEvent(number, { ...this.added.get(number), name: 'In other words' });
				}
				return;
			case 'cancel':
				if (shipment && !shipment.canceled) sandbox.cancelShipment(shipment.id);
				return;
			case 'refuse':
				rules.refused.add(number);
				return refuseNumber(sandbox, number, step.isNamed);
			case 'fault':
				return this.setFault(step.fault);
			case 'heal':
				return this.heal();
			case 'settle':
				return await this.settle();
		}
	}

	private async republish(how: string, isRenamed: boolean): Promise<void> {
		const { host, rules } = this;
		if (how !== 'duringPoll') this.heal();
		if (how === 'afterPause') {
			rules.healthySince = Infinity;
			host.unpublish();
			await this.pollAfter(90);
			this.heal();
		}
		await this.change(how === 'duringPoll', async () => {
			if (isRenamed) this.rename();
			await host.republish(how === 'update' || how === 'duringPoll' ? 'update' : 'activate');
		});
	}

	private rename(): void {
		const { host } = this;
		host.nodeName = host.nodeName === 'Trigger' ? 'Renamed' : 'Trigger';
	}

	/** Restarts n8n or publishes again, also while a poll is running. */
	private async change(isDuringPoll: boolean, change: () => Promise<void>): Promise<void> {
		await this.poll(async () => {
			const running = isDuringPoll ? this.host.tick() : undefined;
			await setImmediate();
			await change();
			await running;
		});
	}

	private setFault({ kind, operation, times }: Of<typeof fault>): void {
		const { sandbox, rules } = this;
		// After an unsure start, events that are shown again look new.
		if (kind === 'limited' && rules.isStartUnsure) return;
		rules.healthySince = Infinity;
		if (kind !== 'rowFails' && kind !== 'limited') {
			const status = kind === 'status' ? { status: 500 } : {};
			return sandbox.fault({ operation, kind, times, ms: 5, ...status });
		}
		const rewrite = (body: TrackingBody) => {
			const [first] = body.result;
			if (kind === 'rowFails' && first) Object.assign(first, { statusCode: 400, events: [] });
			const isKept = ({ category }: { category: string }, at: number) =>
				category === 'Created' || at % 2 === 0;
			for (const row of kind === 'limited' ? body.result : [])
				row.events = row.events.filter(isKept);
			return body;
		};
		sandbox.fault({ operation: 'trackShipments', kind: 'body', rewrite: rewrite as never, times });
	}
}

interface TrackingBody {
	result: Array<{ statusCode: number; events: Array<{ category: string }> }>;
}

function parametersOf(history: History, { database }: Sandbox): INodeParameters {
	const { startFrom, freshness, watch, limits, selection, repeated } = history;
	const carriers = database
		.shipments()
		.map((each) => ({ carrierCode: each.carrierCode, packageNumbers: each.packageNumberCarrier }));
	return {
		...{
			options: { startFrom },
			freshness,
			events: eventsOf(selection, history),
			repeatedEvents: repeated,
		},
		daysWithoutMovement: limits?.noMovement ?? 5,
		daysWaitingForPickup: limits?.waitingForPickup ?? 3,
		...(watch === 'list' ? { watch, shipments: { carriers } } : {}),
		filters: { createdWithinDays: 90, ...(watch === 'carrier' ? { carrierCodes: ['ANT'] } : {}) },
	};
}

function eventsOf(selection: History['selection'], { limits }: History): string[] {
	const types = selection === 'all' ? ['all'] : MOVING;
	return [...types, ...(limits ? ['noMovement', 'waitingForPickup'] : [])];
}
