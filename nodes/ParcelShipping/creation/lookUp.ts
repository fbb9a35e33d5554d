import { groupBy, isSameCode } from '../lists';
import type { CreationOptions } from '../orders/form';
import { type Order, referenceOf } from '../orders/order';
import { findOffer, type OfferedService, type Offers, type Wanted } from '../orders/validate';
import { searchStart } from '../records';
import type { BatchFilter, Client, Page, ShipmentFilter } from '../transport/client';
import { type ListedShipment, PAGE_LENGTH, type ShipmentDetail } from '../transport/contract';
import { ifNotFound } from '../transport/errors';
import { notDone } from '../writes/journal';
import { compareWithOrder } from './differences';
import { judgeExisting } from './existing';
import { toBatchInfo } from './match';
import type { BatchInfo, Creation, FoundRecord, OrderOutcome } from './types';

/** The number of batches that are opened at most to find those of recovered shipments. */
const MAX_BATCHES = 20;

export interface LookUpResult {
	/** Orders without a living shipment. They are sent. */
	toSend: Order[];
	/** IDs of canceled shipments with the reference of an order that is sent. */
	canceledIds: number[];
	/** Orders that exist already, or that could not be looked up. They are not sent. */
	outcomes: OrderOutcome[];
}

/**
 * Finds shipments by exact reference, with as few requests as possible. Without a carrier code, those
 * of all carriers.
 */
export class LookUp {
	/** Carriers whose list records have no reference, so that it must be read from the details. */
	private readonly listsWithoutReference = new Set<string | undefined>();

	/** Details that were read, because several searches may find the same shipment. */
	private readonly piecesById = new Map<number, FoundRecord[]>();

	/** The batches of shipments whose creation got no response; undefined if a batch is missing. */
	private readonly batches = new Map<number, BatchInfo | undefined>();

	constructor(private readonly client: Client) {}

	/** Looks for the shipments of all orders and decides which orders are sent. */
	async findExisting(orders: readonly Order[], settings: CreationOptions): Promise<LookUpResult> {
		const { ifExists, lookUpScope, lookbackDays } = settings;
		if (ifExists === 'create') return { toSend: [...orders], canceledIds: [], outcomes: [] };
		const createdFrom = searchStart(Date.now(), lookbackDays);
		const result: LookUpResult = { toSend: [], canceledIds: [], outcomes: [] };
		const isForAll = lookUpScope === 'allCarriers';
		const groups = groupBy(orders, ({ carrierCode }) => (isForAll ? undefined : carrierCode));
		await this.client.mapParallel([...groups], async ([carrierCode, together]) => {
			const finding = this.find(carrierCode, together.map(referenceOf), createdFrom);
			const found = await finding.catch((thrown: unknown) => {
				// Nothing may be sent without knowing what exists.
				result.outcomes.push(...notDone<Creation>(together, thrown));
			});
			if (!found) return;
			const byReference = groupBy(found, ({ reference }) => reference);
			await this.client.mapParallel(together, async (order) => {
				const withReference = byReference.get(referenceOf(order)) ?? [];
				const living = withReference.filter(({ isCanceled }) => !isCanceled);
				if (living.length === 0) {
					result.toSend.push(order);
					result.canceledIds.push(...withReference.map(({ id }) => id));
				} else {
					const records = ifExists === 'reuse' ? await this.complete(order, living) : living;
					result.outcomes.push(judgeExisting(order, records, settings));
				}
			});
		});
		return result;
	}

	/** The records with exactly these references, canceled ones included, each once. */
	async find(
		carrierCode: string | undefined,
		references: readonly string[],
		createdFrom: string,
	): Promise<FoundRecord[]> {
		const wanted = new Set(references);
		const carrier = carrierCode === undefined ? {} : { carrierCodes: [carrierCode] };
		// Some services list only main shipments unless told otherwise.
		const filter = { ...carrier, createdFrom, onlyMaster: false };
		const candidates = await this.readCandidates(carrierCode, [...wanted], filter);
		const exact = candidates.filter(({ reference }) => wanted.has(reference));
		return [...new Map(exact.map((record) => [record.id, record])).values()];
	}

	/** Like `find`, with the batches, which have the links to the labels. */
	async findWithBatches(
		carrierCode: string,
		references: readonly string[],
		createdFrom: string,
	): Promise<FoundRecord[]> {
		const records = await this.find(carrierCode, references, createdFrom);
		const missing = new Set(records.map(({ id }) => id).filter((id) => !this.batches.has(id)));
		for (const id of missing) this.batches.set(id, undefined);
		const filter = { carrierCodes: [carrierCode], createdFrom, sortOrder: 'desc' };
		// A shipment counts as recovered with or without its batch.
		if (missing.size > 0) await this.readBatches(missing, filter).catch(() => undefined);
		return records.map((found) => {
			const batch = this.batches.get(found.id);
			return batch ? { ...found, batch } : found;
		});
	}

	private async readBatches(missing: Set<number>, filter: BatchFilter): Promise<void> {
		const { rows } = await this.client.findBatches(filter, 0, PAGE_LENGTH);
		for (const { id } of rows.slice(0, MAX_BATCHES)) {
			if (missing.size === 0) return;
			const { result: batch } = await this.client.call('getBatch', { path: { id } });
			for (const order of batch.orders ?? []) {
				if (missing.delete(order.id)) this.batches.set(order.id, toBatchInfo(batch));
			}
		}
	}

	/** Reads the whole list if that takes fewer requests than a search for each reference. */
	private async readCandidates(
		carrierCode: string | undefined,
		references: string[],
		filter: ShipmentFilter,
	): Promise<FoundRecord[]> {
		if (references.length > 1) {
			const first = await this.client.findShipments(filter, 0, PAGE_LENGTH);
			this.noteMissingReferences(carrierCode, first.rows);
			const additionalPages = Math.ceil(first.total / PAGE_LENGTH) - 1;
			// Records without a reference cost one more request each.
			const details = this.listsWithoutReference.has(carrierCode) ? first.total : 0;
			if (additionalPages + details <= references.length) {
				return await this.read(carrierCode, filter, first);
			}
		}
		const hits = await this.client.mapParallel(references, async (search) =>
			this.read(carrierCode, { ...filter, search }),
		);
		return hits.flat();
	}

	private async read(
		carrierCode: string | undefined,
		filter: ShipmentFilter,
		firstPage?: Page<ListedShipment>,
	): Promise<FoundRecord[]> {
		// Some services ignore the carrier filter.
		const isWanted = (record: ListedShipment) =>
			carrierCode === undefined || isSameCode(record.carrierCode, carrierCode);
		if (!this.listsWithoutReference.has(carrierCode)) {
			const records = await this.client.listShipments(filter, Infinity, firstPage);
			this.noteMissingReferences(carrierCode, records);
			if (!this.listsWithoutReference.has(carrierCode)) {
				const own = records.filter(isWanted);
				const details = await this.client.mapParallel(own.filter(lacksReference), async (record) =>
					this.readPieces(record),
				);
				const found = own.flatMap((record) => toFoundRecord(record, record.carrierCode) ?? []);
				return [...found, ...details.flat()];
			}
		}
		// Only main shipments have a detail, and it contains their pieces.
		const mains = await this.client.listShipments({ ...filter, onlyMaster: true });
		const pieces = await this.client.mapParallel(mains.filter(isWanted), async (main) =>
			this.readPieces(main),
		);
		return pieces.flat();
	}

	private async readPieces(main: ListedShipment | FoundRecord): Promise<FoundRecord[]> {
		const { carrierCode, id } = main;
		const known = this.piecesById.get(id);
		if (known) return known;
		const reading = this.client.getShipment(carrierCode, id);
		const { result } = await reading.catch(ifNotFound({ result: [] }));
		const pieces = result.flatMap((piece) => toFoundRecord(piece, carrierCode) ?? []);
		this.piecesById.set(id, pieces);
		return pieces;
	}

	/**
	 * The records of an existing shipment with the fields of its detail, if the list lacks some of the
	 * order's fields. Without the detail, the fields count as not compared.
	 */
	private async complete(order: Order, living: FoundRecord[]): Promise<FoundRecord[]> {
		const [main] = living.toSorted((a, b) => a.id - b.id);
		if (!main || compareWithOrder(order, living).uncompared.length === 0) return living;
		const details = await this.readPieces(main).catch(() => []);
		const detailOf = new Map(details.map(({ id, record }) => [id, record]));
		return living.map((each) => ({
			...each,
			record: { ...each.record, ...detailOf.get(each.id) },
		}));
	}

	private noteMissingReferences(
		carrierCode: string | undefined,
		records: readonly ListedShipment[],
	): void {
		// A single odd record among others does not mean that the list has no references.
		if (records.length > 0 && records.every(lacksReference)) {
			this.listsWithoutReference.add(carrierCode);
		}
	}
}

/** Whether the record does not say what its reference is; null means that it has none. */
function lacksReference({ packageNumberCustom }: ListedShipment): boolean {
	return packageNumberCustom === undefined;
}

/** The record, if it has a reference. A carrier number may be missing until the carrier assigns it. */
function toFoundRecord(
	record: ListedShipment | ShipmentDetail,
	carrierCode: string,
): FoundRecord | undefined {
	const { id, packageNumberCustom: reference, canceled } = record;
	if (typeof reference !== 'string' || reference === '') return undefined;
	return { id, carrierCode, reference, isCanceled: canceled === true, record };
}

/**
 * Reads what the carriers offer. A response that other executions got may be some minutes old, so it
 * saves a round of requests, but no order is refused because its carrier or service is not in it.
 */
export async function readOffers(
	client: Client,
	wanted: readonly Wanted[],
	age: 'shared' | 'new' = 'shared',
): Promise<Offers> {
	const distinct = new Map(
		wanted
			.filter(({ carrierCode }) => carrierCode !== '')
			.map((each) => [JSON.stringify([each.carrierCode, each.serviceType]), each]),
	);
	if (distinct.size === 0) return { carriers: [], services: new Map() };
	const codes = [...new Set([...distinct.values()].map(({ carrierCode }) => carrierCode))];
	// Asking for the services already now saves a round trip. The client sends each request once, and one
	// that fails matters only if the carrier turns out to be usable.
	const [carriers] = await Promise.all([
		client.carriers(age),
		Promise.allSettled(
			codes.flatMap((code) => [client.services(code, age), client.serviceCountries(code, age)]),
		),
	]);
	const services = new Map<string, OfferedService[]>();
	for (const carrierCode of codes) {
		const { problem, wanted: own } = findOffer(
			{ carrierCode, serviceType: '' },
			{ carriers, services },
		);
		if (problem) continue;
		const delivered = await client.serviceCountries(own.carrierCode, age);
		const offered = (await client.services(own.carrierCode, age)).map((service) => {
			const row = delivered.find(({ code }) => isSameCode(String(code), service.code));
			const countries = row?.countries;
			return Array.isArray(countries)
				? { ...service, countries: countries.map((code) => String(code).toUpperCase()) }
				: service;
		});
		services.set(own.carrierCode, offered);
	}
	const offers = { carriers, services };
	const isOffered = [...distinct.values()].every((each) => !findOffer(each, offers).problem);
	return isOffered || age === 'new' ? offers : await readOffers(client, wanted, 'new');
}
