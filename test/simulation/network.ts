import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { RouteName } from '../../sandbox';
import type { PlainRequest, PlainResponse, ServiceInProcess } from '../../sandbox/inProcess';
import { type Fault, FAULTS, GROUPS } from './faults';
import { waitMs } from './time';
import type { Worker } from './workers';

/** Who sends a request. */
export interface Sender {
	worker: Worker;
	/** The number of the run of the node, as stories name it. */
	run: string;
}

/** A request as it happened. Times are virtual; undefined means that it never happened. */
export interface Exchange {
	sender: Sender;
	operation: RouteName | null;
	url: string;
	body: string;
	sentMs: number;
	/** When the provider carried it out. */
	doneMs?: number;
	/** When its response, or an error, arrived. */
	arrivedMs?: number;
	fault?: Fault;
	/** What the provider responded, before a fault changed it. */
	response?: PlainResponse;
	/** What n8n got: a status, or the code of an error. */
	got?: number | string;
	/** The body that n8n got. */
	gotBody?: string;
	/** Its place among everything that the provider has carried out. */
	place?: number;
}

/** Carried out when the run had given up waiting for it. */
export const isDoneLate = ({ doneMs = 0, arrivedMs = Infinity }: Exchange) => doneMs > arrivedMs;

/** Whether n8n got in time what the provider responded. */
export const isClean = (exchange: Exchange) =>
	exchange.got === 200 && !exchange.fault && !isDoneLate(exchange);

/** As n8n-core loads them: other packages may have other copies. */
const ofN8nCore = createRequire(require.resolve('n8n-core'));
const { Container } = ofN8nCore('@n8n/di') as { Container: Map<unknown, unknown> };
const { OutboundHttp } = ofN8nCore('@n8n/backend-network') as { OutboundHttp: unknown };

const current = new AsyncLocalStorage<Sender>();

export const sendAs = async <Result>(sender: Sender, work: () => Promise<Result>) =>
	current.run(sender, work);

class NetworkError extends Error {
	constructor(
		readonly code: string,
		readonly response?: { status: number },
	) {
		super(code);
	}
}

const short = (text: string | Buffer) => String(text).slice(0, 300).replaceAll('"', '');

/** A promise of its own, because one that all wait for would keep everything that waits. */
const never = async () => await new Promise<never>(() => {});

/** Carries requests to the provider and back, each in its own time, with the faults of the history. */
export class Network {
	readonly exchanges: Exchange[] = [];

	/** Called when the provider has carried out a request. */
	onDone: (exchange: Exchange) => void = () => {};

	/** Of a request or its response. */
	longestTripMs = 3_000;
	private readonly counts = new Map<string, number>();

	/** How many requests the provider has carried out. */
	places = 0;

	constructor(
		private readonly service: ServiceInProcess,
		public faults: readonly Fault[],
		private readonly random: () => number,
		private readonly note: (text: string) => void,
	) {
		Container.set(OutboundHttp, {
			requests: () => ({ request: async (options: IHttpRequestOptions) => this.request(options) }),
			egressFilter: () => undefined,
		});
	}

	private async request(options: IHttpRequestOptions): Promise<unknown> {
		const sender = current.getStore();
		if (!sender) throw new Error(`Nobody sends ${options.url}`);
		if (sender.worker.isGone) return await never();
		const { method = 'GET', url, headers, body, qs } = options;
		const query = qs ? `?${new URLSearchParams(qs as Record<string, string>).toString()}` : '';
		const request = {
			method,
			url: url + query,
			headers: (headers ?? {}) as Record<string, string>,
			body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
		};
		const operation = this.service.operationOf(request);
		const fault = this.faultOf(operation);
		const exchange: Exchange = {
			...{ sender, operation, url: request.url, body: request.body ?? '', sentMs: Date.now() },
			...(fault ? { fault } : {}),
		};
		this.exchanges.push(exchange);
		this.note(
			`${sender.run}: ${exchange.url} ${short(exchange.body)}${fault ? `  [${fault.how}]` : ''}`,
		);
		const outcome = await this.transport(exchange, request, options);
		// What a killed process has asked for never arrives.
		if (sender.worker.isGone) return await never();
		exchange.arrivedMs = Date.now();
		exchange.got = outcome instanceof NetworkError ? outcome.code : outcome.status;
		this.note(`    ${sender.run} gets ${exchange.got} for ${url}`);
		if (outcome instanceof NetworkError) throw outcome;
		exchange.gotBody = String(outcome.body);
		return toN8n(outcome, options);
	}

	/** The fault that concerns the next request of its group. */
	private faultOf(operation: RouteName | null): Fault | undefined {
		const group = GROUPS[operation ?? ''] ?? 'offers';
		const count = (this.counts.get(group) ?? 0) + 1;
		this.counts.set(group, count);
		return this.faults.find(
			({ at, nth, times }) => at === group && count >= nth && count < nth + times,
		);
	}

	private async transport(
		exchange: Exchange,
		request: PlainRequest,
		{ timeout = 300_000, abortSignal }: IHttpRequestOptions,
	): Promise<PlainResponse | NetworkError> {
		const behavior = exchange.fault && FAULTS[exchange.fault.how];
		const [there, back] = [this.tripMs(), this.tripMs()];
		const travel = async () => {
			// The provider goes on when nobody waits for it any more.
			await waitMs(behavior?.when === 'late' ? timeout + there * 20 : there);
			const response =
				behavior?.when === 'before'
					? undefined
					: this.carryOut(exchange, behavior?.request?.(request) ?? request);
			if (behavior?.when === 'late') return await never();
			const changed = behavior ? behavior.respond?.(response, this.random) : response;
			if (changed === undefined) return await never();
			await waitMs(back);
			return typeof changed === 'string' ? new NetworkError(changed) : changed;
		};
		return await new Promise((resolve) => {
			const timer = setTimeout(() => resolve(new NetworkError('ECONNABORTED')), timeout);
			const respond = (outcome: PlainResponse | NetworkError) => {
				clearTimeout(timer);
				resolve(outcome);
			};
			(abortSignal as AbortSignal | undefined)?.addEventListener('abort', () =>
				respond(new NetworkError('ERR_CANCELED')),
			);
			void travel().then(respond);
		});
	}

	private carryOut(exchange: Exchange, request: PlainRequest): PlainResponse {
		const response = this.service.respond(request);
		Object.assign(exchange, { doneMs: Date.now(), place: ++this.places, response });
		const { url, sender } = exchange;
		this.note(`    ${url} for ${sender.run}: ${response.status} ${short(response.body)}`);
		this.onDone(exchange);
		return response;
	}

	/** Often the same, so that requests meet, and sometimes long. */
	private tripMs(): number {
		const random = this.random();
		if (random < 0.5) return 10;
		return random < 0.95 ? Math.ceil(random * 100) : Math.ceil(random * this.longestTripMs);
	}
}

function toN8n({ status, headers, body }: PlainResponse, options: IHttpRequestOptions): unknown {
	if (!options.ignoreHttpStatusErrors && status >= 400) {
		throw new NetworkError(`ERR_BAD_RESPONSE`, { status });
	}
	const content =
		options.encoding === 'stream' || options.encoding === 'arraybuffer'
			? Readable.from([Buffer.from(body)])
			: options.json && typeof body === 'string'
				? (JSON.parse(body) as unknown)
				: body.toString();
	return options.returnFullResponse ? { statusCode: status, headers, body: content } : content;
}
