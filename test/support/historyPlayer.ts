import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { TrackingEvent } from '../../sandbox/contract.generated';
import { EventRules, localSecond } from './eventRules';
import { type AnyFault, type History, MOVING, type Selection, type Step } from './history';
import type { PollHost } from './poll';
import { refuseNumber } from './refusedNumbers';

const MINUTE_MS = 60_000;
const CARRIERS = ['ANT', 'BEAVER', 'SNAIL', 'DODO'];

/** Plays a history and collects what breaks the rules. */
export class HistoryPlayer {
	readonly rules: EventRules;

	/** The numbers and their carriers at publishing. */
	private readonly listed = new Map<string, string>();

	private readonly added = new Map<string, Partial<TrackingEvent>>();

	private selection: Selection;

	private executionsRead = 0;

	/** Whether a scheduled poll has saved what the first poll found. */
	private hasPolled = false;

	constructor(
		private readonly history: History,
		private readonly sandbox: Sandbox,
		private readonly host: PollHost,
		private readonly clock: { nowMs: number },
	) {
		this.selection = history.selection;
		this.rules = new EventRules(history, (number) => this.isWatched(number));
	}

	async play(): Promise<string[]> {
		const { history, host, sandbox, clock, rules } = this;
		clock.nowMs = Date.parse(history.publishedAt);
		for (const shipment of history.existing) sandbox.seedShipments(1, shipment);
		for (const { carrierCode, packageNumberCarrier } of sandbox.database.shipments()) {
			this.listed.set(packageNumberCarrier, carrierCode);
		}
		rules.start([...this.listed.keys()], clock.nowMs);
		rules.isStartUnsure = history.atPublishing.length > 0;
		for (const fault of history.atPublishing) this.setFault(fault);
		await this.poll(async () => await host.publish(this.parameters()));

		for (const step of history.steps) {
			clock.nowMs += step.minutes * MINUTE_MS;
			await this.runStep(step);
			if (rules.errors.length > 0) return rules.errors;
		}
		await this.settle();
		if (history.limits) await this.pollAfter(3 * 1_440);
		const crashes = host.failures.filter(({ name }) => name !== 'NodeApiError');
		return [...rules.errors, ...crashes.map(({ stack }) => `threw ${stack}`)];
	}

	private isWatched(number: string): boolean {
		const { watch } = this.history;
		if (watch === 'list') return this.listed.has(number);
		const isAnt = ({ packageNumberCarrier, carrierCode }: Record<string, unknown>) =>
			packageNumberCarrier === number && carrierCode === 'ANT';
		return (
			watch === 'account' || this.sandbox.database.shipments().some((each) => isAnt({ ...each }))
		);
	}

	private parameters(): INodeParameters {
		const { startFrom, watch, limits, freshness } = this.history;
		const types = this.selection === 'all' ? ['all'] : MOVING;
		const parameters: INodeParameters = {
			startFrom,
			freshness,
			events: [...types, ...(limits ? ['noMovement', 'waitingForPickup'] : [])],
			daysWithoutMovement: limits?.noMovement ?? 5,
			daysWaitingForPickup: limits?.waitingForPickup ?? 3,
		};
		if (watch === 'list') {
			// The list must not be empty. An unknown shipment must not affect the others.
			const carriers = [...this.listed, ['CR00000000000', 'CRANE']].map(
				([packageNumbers = '', carrierCode = '']) => ({ carrierCode, packageNumbers }),
			);
			return { ...parameters, watch, shipments: { carriers } };
		}
		const carrierCodes = watch === 'carrier' ? { carrierCodes: ['ANT'] } : {};
		return { ...parameters, filters: { createdWithinDays: 90, ...carrierCodes } };
	}

	/** Lets n8n poll, and checks what the workflow got by what the service had. */
	private async poll(run: () => Promise<unknown>): Promise<void> {
		const { sandbox, clock, rules, host } = this;
		const numbers = sandbox.database.shipments().map((each) => each.packageNumberCarrier);
		const responses = await Promise.all(
			numbers.map(async (number) => await fetch(`${sandbox.home}/sandbox/tracking/${number}`)),
		);
		for (const [index, response] of responses.entries()) {
			const { events } = (await response.json()) as { events: TrackingEvent[] };
			for (const event of events) rules.note(numbers[index] ?? '', event, clock.nowMs);
		}
		await run();
		for (const items of host.executions.slice(this.executionsRead)) {
			rules.readExecution(items, clock.nowMs);
		}
		this.executionsRead = host.executions.length;
		rules.checkDue(clock.nowMs);
	}

	private async pollAfter(minutes: number): Promise<void> {
		this.clock.nowMs += minutes * MINUTE_MS;
		await this.poll(async () => await this.host.tick());
	}

	/** Polls until everything must have come, and saves. */
	private async settle(): Promise<void> {
		this.heal();
		for (const minutes of [1, 15, 60]) await this.pollAfter(minutes);
		await this.poll(async () => await this.host.republish('update'));
		this.rules.close(this.clock.nowMs);
	}

	private heal(): void {
		const { sandbox, rules, clock } = this;
		sandbox.clearFaults();
		for (const carrier of CARRIERS) sandbox.setTracking(carrier, { lateHours: 0 });
		if (rules.healthySince === Infinity || rules.refused.size > 0) rules.healthySince = clock.nowMs;
		rules.refused.clear();
	}

	private async runStep(step: Step): Promise<void> {
		const { host, sandbox, rules } = this;
		const shipments = sandbox.database.shipments();
		const shipment = 'shipment' in step ? shipments[step.shipment % shipments.length] : undefined;
		const number = shipment?.packageNumberCarrier ?? '';
		if ('shipment' in step && !shipment) return;
		switch (step.what) {
			case 'tick':
				await this.poll(async () => await host.tick());
				this.hasPolled ||= rules.healthySince < Infinity;
				return;
			case 'overlappingTicks':
				return await this.poll(async () => await Promise.all([host.tick(), host.tick()]));
			case 'kill':
			case 'killDuringTick':
			case 'bootWithoutService':
				return await this.restart(step.what);
			case 'republish':
				return await this.republish(step);
			case 'select':
				this.heal();
				this.selection = step.selection;
				rules.select(step.selection);
				return await this.poll(async () => await host.republish('update', this.parameters()));
			case 'create':
				sandbox.seedShipments(1, step);
				return;
			case 'event': {
				const { minutesOld } = step;
				const date =
					minutesOld === null ? '' : localSecond(this.clock.nowMs - minutesOld * MINUTE_MS);
				for (const [code, category] of step.kinds) {
					const event = { date, code, category, delivered: category === 'Delivered' };
					this.added.set(number, event);
					sandbox.addEvent(number, event);
				}
				return;
			}
			case 'repeat': {
				const event = this.added.get(number);
				if (event) sandbox.addEvent(number, { ...event, name: 'In other words' });
				return;
			}
			case 'cancel':
				if (shipment && !shipment.canceled) sandbox.cancelShipment(shipment.id);
				return;
			case 'carrier': {
				const { carrier, shuffled, repeated } = step;
				const lateHours = rules.isStartUnsure ? 0 : step.lateHours;
				if (lateHours > 0) rules.healthySince = Infinity;
				return sandbox.setTracking(carrier, { shuffled, repeated, lateHours });
			}
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

	private async restart(how: 'kill' | 'killDuringTick' | 'bootWithoutService'): Promise<void> {
		const { host, rules } = this;
		if (!this.hasPolled) {
			// n8n may not have saved what the first poll found.
			this.heal();
			rules.isStartUnsure = true;
		}
		await this.poll(async () => {
			const tick = how === 'killDuringTick' ? host.tick() : undefined;
			if (tick) await new Promise((resolve) => setImmediate(resolve));
			host.kill();
			await tick;
			if (how === 'bootWithoutService') this.setFault({ kind: 'reset', on: '*', times: 6 });
			await host.boot();
		});
	}

	private async republish({ how, rename }: Extract<Step, { what: 'republish' }>): Promise<void> {
		const { host } = this;
		if (how !== 'duringTick') this.heal();
		if (how === 'afterPause') {
			this.rules.healthySince = Infinity;
			host.unpublish();
			await this.pollAfter(90);
			this.heal();
		}
		await this.poll(async () => {
			const tick = how === 'duringTick' ? host.tick() : undefined;
			if (tick) await new Promise((resolve) => setImmediate(resolve));
			if (rename) host.nodeName += ' 2';
			await host.republish(how === 'afterPause' || how === 'activate' ? 'activate' : 'update');
			await tick;
		});
	}

	private setFault({ kind, on: operation, times }: AnyFault): void {
		const { sandbox, rules } = this;
		// Later it would complete the events that were omitted at the start, as if they were new.
		if (kind === 'limited' && rules.isStartUnsure) return;
		rules.healthySince = Infinity;
		if (kind === 'reworded' || kind === 'rowFails' || kind === 'limited') {
			const rewrite = rewrites[kind] as never;
			return sandbox.fault({ operation: 'trackShipments', kind: 'body', rewrite, times });
		}
		sandbox.fault({ operation, kind, times, ms: 5, ...(kind === 'status' ? { status: 500 } : {}) });
	}
}

interface TrackingBody {
	result: Array<{ statusCode: number; events: Array<{ name: string; category: string }> }>;
}

const rewrites: Record<'reworded' | 'rowFails' | 'limited', (body: TrackingBody) => TrackingBody> =
	{
		reworded: (body) => {
			for (const event of body.result.flatMap(({ events }) => events)) event.name += ' (reworded)';
			return body;
		},
		rowFails: (body) => {
			const [first] = body.result;
			if (first) Object.assign(first, { statusCode: 400, events: [] });
			return body;
		},
		limited: (body) => {
			for (const row of body.result) {
				row.events = row.events.filter((event, at) => event.category === 'Created' || at % 2 === 0);
			}
			return body;
		},
	};
