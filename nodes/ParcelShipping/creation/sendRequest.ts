import { isServiceError } from '../transport/errors';
import { factsOfAnswer, findBatches } from './batchFacts';
import { searchFrom } from './days';
import type { Finding } from './finding';
import type { Found } from './found';
import type { Ledger, OpenRequest } from './ledger';
import type { LookUp } from './lookUp';
import type { Order } from './order';
import { type BatchFacts, isRefused, sortPieces } from './piece';
import {
	areAccountedFor,
	judge,
	pausesBetweenLooks,
	type ReadBack,
	readBack,
	silentOrders,
} from './readBack';
import type { ShippingService, Surroundings } from './service';
import { findingsOf, settledOf } from './settled';
import { type IfExists, outcomeUnknown, refusedByCarrier, wordsOf } from './words';

export interface SenderSettings {
	ifExists: IfExists;
	maxLookMs: number;
}

export interface Sent {
	findings: Finding[];
	/** A refusal that the next request would meet as well. */
	endsLane?: unknown;
}

/** Sends a request once and finds out what it came to, whatever happens to its answer. */
export class RequestSender {
	constructor(
		private readonly service: ShippingService,
		private readonly lookUpOf: (carrierCode: string) => LookUp,
		private readonly settings: SenderSettings,
		private readonly surroundings: Surroundings,
		private readonly ledger: Ledger,
	) {}

	/**
	 * Ids of shipments that the next requests of a carrier do not make. Where nothing was looked for
	 * before, it takes one request; null where that can't tell.
	 */
	async knownBefore(carrierCode: string, canceled: readonly number[]): Promise<number[] | null> {
		if (this.settings.ifExists !== 'create') return [...canceled];
		try {
			const createdFrom = searchFrom(this.surroundings.nowMs(), 0);
			return await this.lookUpOf(carrierCode).snapshot(createdFrom);
		} catch {
			return null;
		}
	}

	async send(carrierCode: string, orders: Order[], known: number[] | null): Promise<Sent> {
		const request = this.ledger.open({
			orders,
			rows: [],
			linked: [],
			since: searchFrom(this.surroundings.nowMs(), 0),
			known,
			batch: null,
			reason: 'The node was interrupted before the answer came',
			correlationId: null,
		});
		const answered = await settle(
			this.service.create(
				carrierCode,
				orders.map(({ body }) => body),
			),
		);
		if ('answer' in answered) {
			const { answer } = answered;
			const batch = factsOfAnswer(answer);
			const reason = 'The answer of the service does not tell of it';
			const { correlationId } = batch;
			const concluded = { ...request, rows: answer.result, batch, reason, correlationId };
			return { findings: await this.conclude(concluded) };
		}
		const { thrown } = answered;
		const facts = isServiceError(thrown) ? thrown.facts : undefined;
		if (facts?.mayHaveActed === false) {
			// Certainly not carried out, so another try may send it.
			this.ledger.close(request);
			const findings = orders.map((order) => ({ orders: [order], failure: thrown }));
			return facts.cause ? { findings, endsLane: thrown } : { findings };
		}
		const correlationId = facts?.correlationId ?? null;
		const reason = wordsOf(thrown);
		return { findings: await this.conclude({ ...request, reason, correlationId }) };
	}

	/** What earlier tries have settled, and what became of requests that they left open. */
	async recall(): Promise<Finding[]> {
		const findings = this.ledger
			.settledOrders()
			.flatMap(({ order, settled }) => findingsOf(order, settled));
		for (const request of this.ledger.openRequests()) {
			findings.push(...(await this.conclude(request)));
		}
		return findings;
	}

	/** What is certain is settled; what is not stays open in the ledger and is said. */
	private async conclude(request: OpenRequest): Promise<Finding[]> {
		const result = await this.establish(request);
		const { match, recovered } = result;
		const batches = await this.batchesOf(request, [...recovered.values()].flat());

		const findings: Finding[] = [];
		for (const order of request.orders) {
			const rows = match.given.get(order) ?? [];
			const found = recovered.get(order) ?? [];
			if (rows.length + found.length === 0) continue;
			const settled = settledOf(order, rows, found, request.batch, batches);
			// An order that was only refused may be sent again by the next try.
			if (settled.pieces.length > 0) this.ledger.settle(order, settled);
			findings.push(...findingsOf(order, settled, request.batch));
		}
		return [...findings, ...this.concludeOpen(request, result)];
	}

	private async establish(request: OpenRequest): Promise<ReadBack> {
		const { orders, rows, known, since } = request;
		const answered = judge({ orders, rows, known: null, contested: new Set() }, []);
		const [order] = answered.match.short;
		if (!order) return { ...answered, looks: 0 };
		const doubt = {
			orders,
			rows,
			known: known && new Set([...known, ...this.ledger.settledIds()]),
			contested: this.ledger.labelsInOtherRequests(request),
		};
		const lookUp = this.lookUpOf(order.carrierCode);
		return await readBack(
			doubt,
			async (labels) => lookUp.find(labels, since),
			pausesBetweenLooks(this.settings.maxLookMs),
			this.surroundings,
		);
	}

	private async batchesOf(
		{ batch, orders, since, correlationId }: OpenRequest,
		recovered: readonly Found[],
	): Promise<(id: number) => BatchFacts | null> {
		const [order] = orders;
		if (batch || recovered.length === 0 || !order) return () => batch;
		const facts = await findBatches(this.service, order.carrierCode, since, recovered);
		return (id) => {
			const known = facts.get(id);
			return known ? { ...known, correlationId } : null;
		};
	}

	/** Orders of which nothing is known, and rows of which it is not known whose they are. */
	private concludeOpen(request: OpenRequest, result: ReadBack): Finding[] {
		const { match, recovered, possible, looks, lastThrown } = result;
		const { orders, batch, since, reason, correlationId } = request;
		const rowless = orders.filter(
			(order) => match.given.get(order)?.length === 0 && !recovered.has(order),
		);
		const linked = [rowless, request.linked, orders].find((some) => some.length > 0) ?? [];
		const strays = sortPieces(match.stray.map((row) => ({ row })));
		const created = strays.filter(({ row }) => !isRefused(row));
		const silent = silentOrders(orders, result);
		if (silent.length > 0 || created.length > 0) {
			this.ledger.keepOpen({ ...request, orders: rowless, linked, rows: match.stray });
		} else this.ledger.close(request);

		const unknown = areAccountedFor(silent, result) ? [] : silent;
		return [
			...strays.map(({ row }): Finding => {
				if (isRefused(row)) {
					const carrierCode = linked[0]?.carrierCode ?? '';
					return { orders: linked, failure: refusedByCarrier(carrierCode, row, batch) };
				}
				const piece = { row, batch, alreadyExisted: false, recovered: false };
				return { orders: linked, pieces: [piece], isUnmatched: true };
			}),
			...unknown.map((order) => ({
				orders: [order],
				failure: outcomeUnknown(order, {
					since,
					looks,
					reason,
					ifExists: this.settings.ifExists,
					possible: possible.get(order) ?? [],
					strays: match.stray,
					lastThrown,
					correlationId,
				}),
			})),
		];
	}
}

async function settle<Answer>(
	asked: Promise<Answer>,
): Promise<{ answer: Answer } | { thrown: unknown }> {
	return await asked.then(
		(answer) => ({ answer }),
		(thrown: unknown) => ({ thrown }),
	);
}
