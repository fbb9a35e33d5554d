import type { Fault, Sandbox } from '../../sandbox';
import { EventLog } from './eventLog';
import { refuseNumber } from './refusedNumbers';
import type { AddedEvent, FaultKind, History, Step } from './history';
import { PollHost } from './poll';

import type { INodeParameters } from 'n8n-workflow';

const MINUTE_MS = 60_000;

/** After steps of other kinds, the service may not have answered everything. */
const CALM_STEPS = new Set<Step['what']>(['tick', 'create', 'event', 'repeat', 'cancel']);

/** Plays a history and returns the errors it found. */
export class HistoryPlayer {
	private readonly log: EventLog;

	/** When n8n started each execution. */
	private readonly executionTimes: number[] = [];

	/** Polls in which the service answered everything. */
	private readonly completePolls: number[] = [];

	/** Whether nothing has gone wrong so far. */
	private isCalm = true;

	constructor(
		private readonly history: History,
		private readonly sandbox: Sandbox,
		private readonly host: PollHost,
		private readonly clock: { nowMs: number },
	) {
		this.log = new EventLog(sandbox, clock);
	}

	async play(): Promise<string[]> {
		return await this.playSteps().catch((thrown: Error) => {
			// If the service refuses every number of a list that the user entered, publishing fails and
			// says so. n8n then runs no polls, so that there is nothing to check.
			const isRefusedList =
				this.history.watch === 'list' && thrown.message.includes('Entity not found');
			if (isRefusedList) return [];
			throw thrown;
		});
	}

	private async playSteps(): Promise<string[]> {
		const { history, host, sandbox, clock } = this;
		clock.nowMs = Date.parse(history.publishedAt);
		for (const { service, pieceCount, hoursAgo } of history.existing) {
			sandbox.seedShipments(1, { serviceType: service, pieceCount, hoursAgo });
		}
		for (const { fault, on, times } of history.atPublishing) this.setFault(fault, on, times);
		await this.log.note();
		await host.publish(this.parameters());
		this.noteExecutions();
		this.log.noteActivation(history.atPublishing.length > 0);
		this.isCalm = history.atPublishing.length === 0;

		for (const step of history.steps) {
			clock.nowMs += step.minutes * MINUTE_MS;
			// Record events that became visible meanwhile, before the next step.
			await this.log.note();
			this.isCalm &&= CALM_STEPS.has(step.what);
			await this.runStep(step);
			this.noteExecutions();
			if (this.isCalm && step.what === 'tick') this.completePolls.push(clock.nowMs);
			await this.log.note();
		}
		await this.settle();
		const { executionTimes, completePolls } = this;
		const polls = { executionTimes, completePolls };
		return this.log.findErrors(history, host.executions, host.failures, polls);
	}

	private noteExecutions(): void {
		const { executionTimes, host, clock } = this;
		while (executionTimes.length < host.executions.length) executionTimes.push(clock.nowMs);
	}

	private parameters(): INodeParameters {
		const { startFrom, watch, limits, freshness } = this.history;
		const events = limits
			? {
					events: ['all', 'noMovement', 'waitingForPickup'],
					daysWithoutMovement: limits.noMovement,
					daysWaitingForPickup: limits.waitingForPickup,
				}
			: {};
		if (watch === 'filtered') return { startFrom, freshness, ...events };
		const carriers = this.sandbox.database.shipments().map((shipment) => ({
			carrierCode: shipment.carrierCode,
			packageNumbers: shipment.packageNumberCarrier,
		}));
		// The list must not be empty. An unknown shipment must not affect the others.
		carriers.push({ carrierCode: 'CRANE', packageNumbers: 'CR00000000000' });
		return { startFrom, freshness, ...events, watch, shipments: { carriers } };
	}

	private async runStep(step: Step): Promise<void> {
		const { host, sandbox } = this;
		switch (step.what) {
			case 'tick':
				return await host.tick();
			case 'overlappingTicks':
				await Promise.all([host.tick(), host.tick()]);
				return;
			case 'kill':
				this.log.noteKill(host.savedState);
				host.kill();
				return await host.boot();
			case 'killDuringTick': {
				const tick = host.tick();
				await new Promise((resolve) => setImmediate(resolve));
				this.log.noteKill(host.savedState);
				host.kill();
				await tick;
				return await host.boot();
			}
			case 'republishDuringTick': {
				const tick = host.tick();
				await new Promise((resolve) => setImmediate(resolve));
				await host.republish('update');
				return await tick;
			}
			case 'bootWithoutService':
				this.log.noteKill(host.savedState);
				host.kill();
				sandbox.clearFaults();
				this.setFault('reset', '*', 6);
				return await host.boot();
			case 'republish':
				sandbox.clearFaults();
				if (step.how !== 'afterAPause') return await host.republish(step.how);
				host.unpublish();
				this.clock.nowMs += 90 * MINUTE_MS;
				return await host.republish('activate');
			case 'create':
				sandbox.seedShipments(1, { serviceType: step.service, pieceCount: step.pieceCount });
				return;
			case 'event':
				return this.withShipment(step.shipment, (number) =>
					this.log.add(number, this.eventOf(step.event)),
				);
			case 'repeat':
				return this.withShipment(step.shipment, (number) =>
					this.log.repeat(number, step.isReworded),
				);
			case 'cancel': {
				const shipments = sandbox.database.shipments();
				const shipment = shipments[step.shipment % shipments.length];
				if (shipment && !shipment.canceled) sandbox.cancelShipment(shipment.id);
				return;
			}
			case 'poison':
				return this.withShipment(step.shipment, (number) => {
					sandbox.poisonNumber(number, step.isNamed);
					this.log.notePoison(number);
				});
			case 'carrier': {
				const { carrier, shuffled, repeated, lateHours } = step;
				return sandbox.setTracking(carrier, { shuffled, repeated, lateHours });
			}
			case 'refuse':
				return this.withShipment(step.shipment, (number) =>
					refuseNumber(sandbox, number, step.isNamed),
				);
			case 'fault':
				return this.setFault(step.fault, step.on, step.times);
		}
	}

	/** Ends all faults and lets time pass until every shipment was polled again. */
	private async settle(): Promise<void> {
		const { sandbox, host, clock } = this;
		sandbox.clearFaults();
		for (const carrier of ['ANT', 'BEAVER', 'SNAIL', 'DODO']) {
			sandbox.setTracking(carrier, { lateHours: 0 });
		}
		// The last minutes are longer than every pace.
		for (const minutes of [1, 1, 15, 61, 61, ...(this.history.limits ? [2 * 1_440] : [])]) {
			clock.nowMs += minutes * MINUTE_MS;
			await this.log.note();
			await host.tick();
			this.noteExecutions();
		}
		this.completePolls.push(clock.nowMs);
	}

	private eventOf({ minutesOld, code, category }: AddedEvent) {
		const date =
			minutesOld === null ? '' : this.log.localTime(this.clock.nowMs - minutesOld * MINUTE_MS);
		return { date, code, category, delivered: category === 'Delivered' };
	}

	private withShipment(index: number, work: (number: string) => void): void {
		const shipments = this.sandbox.database.shipments();
		const shipment = shipments[index % shipments.length];
		if (shipment) work(shipment.packageNumberCarrier);
	}

	private setFault(kind: FaultKind, operation: Fault['operation'], times: number): void {
		const { sandbox } = this;
		switch (kind) {
			case 'status500':
				return sandbox.fault({ operation, kind: 'status', status: 500, times });
			case 'slow':
				return sandbox.fault({ operation, kind: 'latency', ms: 5, times });
			case 'reworded':
			case 'rowFails':
			case 'limited':
				return sandbox.fault({
					operation: 'trackShipments',
					kind: 'body',
					rewrite: rewrites[kind] as never,
					times,
				});
			default:
				return sandbox.fault({ operation, kind, times });
		}
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
