import { deepCopy } from 'n8n-workflow';

import { isSameCode, mapParallel } from '../lists';
import { isAdditional, mainIdOf } from '../records';
import { CREDENTIAL_TYPE, type ParcelShippingCredential, readBaseUrl } from './credential';
import {
	type Batch,
	type BodyOf,
	type Carrier,
	type CarrierService,
	endpointOf,
	type EndpointName,
	type ListedShipment,
	PAGE_LENGTH,
	type PastHandOver,
	type PickupPoint,
	type Printer,
	type RequestOf,
	type ResponseOf,
	type ServiceAddon,
	type ShipmentDetail,
	type UnsafeEndpoint,
} from './endpoints';
import { isRefusal, requestError } from './errors';
import { type Caller, Http, type RequestLimits } from './http';

/** Whether a response must be to a request of this run, or may be shared by other executions. */
export type ResponseAge = 'new' | 'shared';

export interface Page<Row> {
	data: Row[];
	total: number;
}

/** The records of the lists that `list` reads. */
interface Records {
	findShipments: ListedShipment;
	findBatches: Batch;
	findHandOvers: PastHandOver;
	findPickupPoints: PickupPoint;
}

type FilterOf<Name extends EndpointName> = Omit<BodyOf<Name>, 'start' | 'length'>;
export type ShipmentFilter = FilterOf<'findShipments'>;
export type PickupPointFilter = FilterOf<'findPickupPoints'>;

/** More pages than any account has: the provider is wrong about the length of the list. */
const MAX_PAGES = 10_000;

/** A client for one run of a node: reads the credential and checks its address once. */
export async function createClient(
	caller: Caller,
	limits: RequestLimits & { maxRetryWaitMs?: number } = {},
): Promise<Client> {
	const credential = await caller.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE);
	return new Client(new Http(caller, credential, readBaseUrl(credential.baseUrl), limits));
}

/**
 * The requests that must not be sent twice. `sendOnce` in `writes/` hands them to its caller, after what is sent was noted.
 * For all other code, the compiler does not know them.
 */
export interface UnsafeCalls {
	call<Name extends UnsafeEndpoint>(
		name: Name,
		request: RequestOf<Name>,
		limits?: RequestLimits,
	): Promise<ResponseOf<Name>>;
}

/** What can be requested from the provider. `http.ts` says how a request is sent. */
export class Client {
	private readonly responses = new Map<string, Promise<object>>();

	constructor(readonly http: Http) {}

	/** Calls an endpoint and returns its checked response. What may happen only once is not offered, see `UnsafeCalls`. */
	async call<Name extends Exclude<EndpointName, UnsafeEndpoint>>(
		name: Name,
		request: RequestOf<Name>,
		limits?: RequestLimits,
	): Promise<ResponseOf<Name>> {
		return (await this.http.call(endpointOf(name), request, limits)) as ResponseOf<Name>;
	}

	async carriers(age: ResponseAge = 'new', limits?: RequestLimits): Promise<Carrier[]> {
		const request = async () => this.call('findCarriers', { body: {} }, limits);
		return (await this.once('carriers', request, age)).result;
	}

	async services(carrierCode: string, age: ResponseAge = 'new'): Promise<CarrierService[]> {
		const request = async () => this.call('findServices', { body: { carrierCode } });
		return (await this.once(`services ${carrierCode}`, request, age)).result;
	}

	async serviceAddons(carrierCode: string, serviceType: string): Promise<ServiceAddon[]> {
		const path = { carrier_code: carrierCode };
		return (await this.call('findServiceAddons', { path, query: { serviceType } })).result;
	}

	async printers(): Promise<Printer[]> {
		return (await this.call('findPrinters', { body: {} })).result;
	}

	/**
	 * The response to a question that several items of a run may have. It is requested once, and every further caller gets
	 * a copy, so that a later node that changes one item does not change others. With an age, other executions share it.
	 */
	async once<Response extends object>(
		question: string,
		request: () => Promise<Response>,
		age?: ResponseAge,
	): Promise<Response> {
		const own = this.responses.get(question) as Promise<Response> | undefined;
		if (own) return deepCopy(await own);
		const { shared } = this.http.memory;
		const requestNew = async () => {
			const response = request();
			if (age !== undefined) shared.set(question, response);
			return await response;
		};
		const known = age === 'shared' ? shared.get(question) : undefined;
		// One that failed is requested again: its execution may have been stopped, or less patient.
		const response = (known?.catch(requestNew) ?? requestNew()) as Promise<Response>;
		this.responses.set(question, response);
		return age === undefined ? await response : deepCopy(await response);
	}

	/** A page with the records that lack their ID or carrier, which are errors otherwise. */
	async findUncheckedShipments(
		filter: ShipmentFilter,
		start: number,
		length: number,
		timeoutMs: number,
	): Promise<Page<ListedShipment>> {
		const endpoint = { ...endpointOf('findShipments'), has: [] };
		const body = { ...filter, start, length };
		return (await this.http.call(endpoint, { body }, { timeoutMs })).result as never;
	}

	/** The first `limit` records of a list. A `firstPage` at hand is not read again. */
	async list<Name extends keyof Records>(
		name: Name,
		filter: FilterOf<Name>,
		limit = Infinity,
		{ firstPage, path }: { firstPage?: Page<Records[Name]> | undefined; path?: object } = {},
	): Promise<Array<Records[Name]>> {
		const readPage = async (start: number, length: number) => {
			const request = { path, body: { ...filter, start, length } } as unknown as RequestOf<Name>;
			return (await this.call(name, request)).result as Page<Records[Name]>;
		};
		// Pickup points have no ID, and several may have the same code, for example in other countries.
		const keyOf = (record: object) =>
			name === 'findPickupPoints' ? JSON.stringify(record) : (record as { id: number }).id;
		// That of hand-overs has another name. Providers may ignore it, and a record need not say its carrier.
		const { carrierCodes, carrierCode: codes = carrierCodes }: Record<string, unknown> = filter;
		const isOwn = (record: object) => {
			const { carrierCode } = record as { carrierCode?: string | null };
			return !Array.isArray(codes) || codes.some((code) => isSameCode(code, carrierCode ?? code));
		};
		const found = await this.readPages(readPage, keyOf, limit, firstPage);
		const own = found.filter(isOwn);
		if (own.length === found.length || limit === Infinity) return own;
		return (await this.readPages(readPage, keyOf, Infinity)).filter(isOwn).slice(0, limit);
	}

	/**
	 * Reads the pages a few at a time, until enough records are there or a page has no new one. Records that are new
	 * meanwhile push others to later pages, where they appear twice. Removed ones pull others to earlier pages, where they
	 * never appear: the totals say so, and the list is read once more.
	 */
	private async readPages<Row>(
		readPage: (start: number, length: number) => Promise<Page<Row>>,
		keyOf: (row: Row) => unknown,
		limit: number,
		firstPage?: Page<Row>,
	): Promise<Row[]> {
		for (const isLast of [false, true]) {
			const records = new Map<unknown, Row>();
			const first = (!isLast && firstPage) || (await readPage(0, Math.min(limit, PAGE_LENGTH)));
			// A provider may return shorter pages than requested.
			const { length } = first.data;
			const totals: number[] = [];
			for (let pages = [first], before = -1; pages.length > 0 && records.size > before; ) {
				before = records.size;
				for (const row of pages.flatMap(({ data }) => data)) records.set(keyOf(row), row);
				totals.push(...pages.map(({ total }) => total));
				if (totals.length > MAX_PAGES) throw listError(`The list has more than ${MAX_PAGES} pages`);
				const end = Math.min(totals.at(-1) ?? 0, limit);
				const starts = Array.from(
					{ length: this.http.maxParallelRequests },
					(_, page) => (totals.length + page) * length,
				).filter((start) => start < end);
				pages = await this.mapParallel(starts, async (start) => readPage(start, length));
			}
			const grows = totals.every((total, at) => at === 0 || total >= (totals[at - 1] ?? 0));
			// More than the last total: it is wrong, and there may be more pages.
			const isWhole = grows && records.size >= first.total && records.size <= (totals.at(-1) ?? 0);
			if (isWhole || records.size >= limit || (isLast && limit < Infinity))
				return [...records.values()].slice(0, limit);
		}
		throw listError('The list was not complete, or kept changing, although it was read twice');
	}

	/**
	 * A main shipment and its pieces, the main one first. Some providers return the detail of an additional
	 * piece without its main shipment, which is then read by the ID in `masterId`.
	 */
	async getShipment(
		carrierCode: string,
		id: number,
		limits?: RequestLimits,
	): Promise<ShipmentDetail[]> {
		// If nothing says which piece is the main one, it is the one that was created first.
		const mainFirst = (a: ShipmentDetail, b: ShipmentDetail) =>
			Number(isAdditional(a)) - Number(isAdditional(b)) || Number(a.id) - Number(b.id);
		const read = async (ofId: number) => {
			const path = { carrier_code: carrierCode, id: ofId };
			return (await this.call('getShipment', { path }, limits)).result.toSorted(mainFirst);
		};
		const pieces = await read(id);
		const mainId = pieces[0] && mainIdOf(pieces[0]);
		if (!mainId || pieces.some((piece) => Number(piece.id) === mainId)) return pieces;
		return await read(mainId).catch((thrown: unknown) => {
			if (isRefusal(thrown)) return pieces;
			throw thrown;
		});
	}

	/** The first error ends it. */
	async mapParallel<Item, Result>(
		items: readonly Item[],
		work: (item: Item, index: number) => Promise<Result>,
	): Promise<Result[]> {
		return await mapParallel(items, this.http.maxParallelRequests, work);
	}
}

const listError = (message: string) =>
	requestError(
		'Read all pages of a list',
		message,
		'Narrow it with a filter, for example by date, or run it at a quieter time.',
		{ mayHaveActed: false, isTransient: true, cause: 'temporarily-unavailable' },
	);
