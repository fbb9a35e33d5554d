import { groupBy } from '../lists';
import { type ListedShipment, PAGE_LENGTH, type ShipmentDetail } from '../transport/contract';
import type { ShipmentFilter } from '../transport/client';
import { isNotFound } from '../transport/errors';
import type { Page } from '../transport/paging';
import { judgeExisting } from './existing';
import { emptyResult } from './reconcile';
import {
	filterOf,
	isListCheaper,
	isOfCarrier,
	lacksReference,
	olderIdOf,
	readNewest,
} from './shipmentList';
import {
	type CreationClient,
	type FoundRecord,
	type LookUpSettings,
	type OrderResult,
	searchStart,
} from './types';
import { type Order, referenceOf } from '../orders/order';

export interface LookUpResult {
	/** Orders without a living shipment. They are sent. */
	toSend: Order[];
	/** IDs of canceled shipments with the reference of an order that is sent. */
	canceledIds: number[];
	/** Orders that exist already, or that could not be looked up. They are not sent. */
	results: OrderResult[];
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

	/** The ID of a shipment that was among the newest of each carrier at the first look-up. */
	private readonly olderIds = new Map<string | undefined, number>();

	/** What a look-up that began before the order was checked has found. */
	private ahead: Promise<FoundRecord[]> | undefined;

	constructor(private readonly client: CreationClient) {}

	/** Looks for an order that comes alone while its carrier is still asked what it offers. */
	async lookAhead(
		references: readonly string[],
		{ ifExists, lookUpScope, lookbackDays }: LookUpSettings,
	): Promise<void> {
		// The carrier is certain only after the check.
		if (references.length !== 1 || ifExists === 'create' || lookUpScope === 'sameCarrier') return;
		this.ahead = this.find(undefined, references, searchStart(Date.now(), lookbackDays));
		// `findExisting` handles a failure.
		await this.ahead.catch(() => undefined);
	}

	/** Looks for the shipments of all orders and decides which orders are sent. */
	async findExisting(
		orders: readonly Order[],
		{ ifExists, ifDiffers, lookUpScope, lookbackDays }: LookUpSettings,
	): Promise<LookUpResult> {
		if (ifExists === 'create') return { toSend: [...orders], canceledIds: [], results: [] };
		const createdFrom = searchStart(Date.now(), lookbackDays);
		const found: LookUpResult = { toSend: [], canceledIds: [], results: [] };
		const isForAll = lookUpScope === 'allCarriers';
		const groups = groupBy(orders, ({ carrierCode }) => (isForAll ? undefined : carrierCode));
		await this.client.mapParallel([...groups], async ([carrierCode, together]) =>
			(this.ahead ?? this.find(carrierCode, together.map(referenceOf), createdFrom)).then(
				(records) => {
					const byReference = groupBy(records, ({ reference }) => reference);
					for (const order of together) {
						const withReference = byReference.get(referenceOf(order)) ?? [];
						decide(order, withReference, { ifExists, ifDiffers }, found);
					}
				},
				(thrown: unknown) => {
					// Nothing may be sent without knowing what exists.
					const failed = together.map((order) => ({
						...emptyResult([order]),
						notCreated: thrown,
					}));
					found.results.push(...failed);
				},
			),
		);
		return found;
	}

	/** The records with exactly these references, canceled ones included. */
	async find(
		carrierCode: string | undefined,
		references: readonly string[],
		createdFrom: string,
	): Promise<FoundRecord[]> {
		const distinct = [...new Set(references)];
		const candidates = await this.readCandidates(carrierCode, distinct, createdFrom);
		return selectExact(candidates, distinct);
	}

	/**
	 * The records with these references that were created today. If possible, only the newest pages of
	 * the list are read: those with the shipments that this run has created, and some older ones.
	 */
	async findRecent(
		carrierCode: string | undefined,
		references: readonly string[],
		createdIds: readonly number[],
	): Promise<FoundRecord[]> {
		const createdFrom = searchStart(Date.now(), 0);
		const olderId = this.olderIds.get(carrierCode);
		if (references.length > 1 && olderId !== undefined) {
			const filter = filterOf(carrierCode, createdFrom);
			const newest = await readNewest(this.client, filter, { createdIds, olderId });
			const own = newest?.filter((record) => isOfCarrier(record, carrierCode));
			if (own && !own.some(lacksReference)) return selectExact(own.flatMap(toFound), references);
		}
		return await this.find(carrierCode, references, createdFrom);
	}

	/** The IDs of all shipments of a carrier since a day; null if they are more than one page. */
	async readIds(carrierCode: string, createdFrom: string): Promise<number[] | null> {
		const filter = filterOf(carrierCode, createdFrom);
		const { rows, total } = await this.client.findShipments(filter, 0, PAGE_LENGTH);
		return rows.length < total ? null : rows.map(({ id }) => id);
	}

	private async readCandidates(
		carrierCode: string | undefined,
		references: string[],
		createdFrom: string,
	): Promise<FoundRecord[]> {
		const filter = filterOf(carrierCode, createdFrom);
		if (references.length > 1) {
			const first = await this.client.findShipments(filter, 0, PAGE_LENGTH);
			this.noteMissingReferences(carrierCode, first.rows);
			// Later, the first page may contain what another process creates meanwhile.
			if (!this.olderIds.has(carrierCode)) this.olderIds.set(carrierCode, olderIdOf(first.rows));
			const hasReferences = !this.listsWithoutReference.has(carrierCode);
			if (isListCheaper(references.length, first.total, hasReferences)) {
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
		const isWanted = (record: ListedShipment) => isOfCarrier(record, carrierCode);
		if (!this.listsWithoutReference.has(carrierCode)) {
			const records = await this.client.listShipments(filter, Infinity, firstPage);
			this.noteMissingReferences(carrierCode, records);
			if (!this.listsWithoutReference.has(carrierCode)) {
				const own = records.filter(isWanted);
				const unclear = own.filter(lacksReference);
				const details = await this.client.mapParallel(unclear, async (record) =>
					this.readPieces(record),
				);
				return [...own.flatMap(toFound), ...details.flat()];
			}
		}
		// Only main shipments have a detail, and it contains their pieces.
		const mains = await this.client.listShipments({ ...filter, onlyMaster: true });
		const pieces = await this.client.mapParallel(mains.filter(isWanted), async (main) =>
			this.readPieces(main),
		);
		return pieces.flat();
	}

	private async readPieces({ carrierCode, id }: ListedShipment): Promise<FoundRecord[]> {
		const known = this.piecesById.get(id);
		if (known) return known;
		const { result } = await this.client.getShipment(carrierCode, id).catch((thrown: unknown) => {
			if (isNotFound(thrown)) return { result: [] };
			throw thrown;
		});
		const pieces = result.flatMap((piece) => toFoundRecord(piece, carrierCode) ?? []);
		this.piecesById.set(id, pieces);
		return pieces;
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

/** The records with exactly these references, each once. */
function selectExact(records: readonly FoundRecord[], references: readonly string[]) {
	const wanted = new Set(references);
	const exact = records.filter(({ reference }) => wanted.has(reference));
	return [...new Map(exact.map((record) => [record.id, record])).values()];
}

const toFound = (record: ListedShipment): FoundRecord[] => {
	const found = toFoundRecord(record, record.carrierCode);
	return found ? [found] : [];
};

/** The record, if it has a reference. A carrier number may be missing until the carrier assigns it. */
function toFoundRecord(
	record: ListedShipment | ShipmentDetail,
	carrierCode: string,
): FoundRecord | undefined {
	const { id, packageNumberCustom: reference, canceled } = record;
	if (typeof reference !== 'string' || reference === '') return undefined;
	return { id, carrierCode, reference, isCanceled: canceled === true, record };
}

function decide(
	order: Order,
	withReference: readonly FoundRecord[],
	settings: Pick<LookUpSettings, 'ifExists' | 'ifDiffers'>,
	{ toSend, canceledIds, results }: LookUpResult,
): void {
	const living = withReference.filter(({ isCanceled }) => !isCanceled);
	if (living.length === 0) {
		toSend.push(order);
		canceledIds.push(...withReference.map(({ id }) => id));
		return;
	}
	results.push(judgeExisting(order, living, settings));
}
