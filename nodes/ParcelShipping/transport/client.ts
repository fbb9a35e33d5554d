import { deepCopy } from 'n8n-workflow';

import { isSameCode, mapParallel } from '../lists';
import { isAdditional, mainIdOf } from '../records';
import { CREDENTIAL_TYPE, type ParcelShippingCredential } from './credential';
import {
	type BodyOf,
	type Carrier,
	type CarrierService,
	endpoints,
	type EndpointName,
	type ListedShipment,
	PAGE_LENGTH,
	type RequestOf,
	type ResponseOf,
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

/** What `list` reads. */
type ListName = 'findShipments' | 'findBatches' | 'findHandOvers' | 'findPickupPoints';
type RecordOf<Name extends ListName> = Name extends 'findShipments'
	? ListedShipment
	: ResponseOf<Name>['result']['data'][number];

type FilterOf<Name extends EndpointName> = Omit<BodyOf<Name>, 'start' | 'length'>;
export type ShipmentFilter = FilterOf<'findShipments'>;
export type PickupPointFilter = FilterOf<'findPickupPoints'>;

export interface ListOptions<Row> {
	firstPage?: Page<Row> | undefined;
	path?: object;
	isEnough?: IsEnough<Row> | undefined;
	/** So many records are needed in any case. Their pages are requested together. */
	atLeast?: number;
}
export type IsEnough<Row> = (page: readonly Row[], ids: ReadonlySet<unknown>) => boolean;

/** More pages than any account has: the provider is wrong about the length of the list. */
const MAX_PAGES = 10_000;

/** A client for one run of a node: reads the credential and checks its address once. */
export async function createClient(
	caller: Caller,
	limits: RequestLimits & { maxRetryWaitMs?: number } = {},
): Promise<Client> {
	const credential = await caller.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE);
	return new Client(new Http(caller, credential, limits));
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
		return (await this.http.call(endpoints[name], request, limits)) as ResponseOf<Name>;
	}

	async carriers(age?: ResponseAge): Promise<Carrier[]> {
		return (await this.offers('findCarriers', {}, age)).result;
	}

	async services(carrierCode: string, age?: ResponseAge): Promise<CarrierService[]> {
		return (await this.offers('findServices', { carrierCode }, age)).result;
	}

	/** What carriers offer. Executions share it for some minutes. */
	private async offers<Name extends 'findCarriers' | 'findServices'>(
		name: Name,
		body: BodyOf<Name>,
		age: ResponseAge = 'new',
	): Promise<ResponseOf<Name>> {
		const { offers } = this.http.memory;
		const question = JSON.stringify([name, body]);
		const known = age === 'shared' ? offers.get(question) : undefined;
		const request = async () => await this.call(name, { body } as RequestOf<Name>);
		const response = known ?? (await this.once(question, request));
		if (!known) offers.set(question, response);
		return deepCopy(response) as ResponseOf<Name>;
	}

	/**
	 * The response to a question that several items of a run may have. It is requested once, and every further caller gets
	 * a copy, so that a later node that changes one item does not change others.
	 */
	async once<Response extends object>(
		question: string,
		request: () => Promise<Response>,
	): Promise<Response> {
		const known = this.responses.get(question) as Promise<Response> | undefined;
		if (known) return deepCopy(await known);
		const response = request();
		this.responses.set(question, response);
		return await response;
	}

	/** A page with the records that lack their ID or carrier, which are errors otherwise. */
	async findUncheckedShipments(
		filter: ShipmentFilter,
		start: number,
		limits: RequestLimits,
	): Promise<ListedShipment[]> {
		const endpoint = { ...endpoints.findShipments, has: [] };
		const body = { ...filter, start, length: PAGE_LENGTH };
		const { result } = await this.http.call(endpoint, { body }, limits);
		return (result as unknown as Page<ListedShipment>).data;
	}

	/**
	 * The first `limit` records of a list: reads pages until enough are there or a page has no new one. A `firstPage` at
	 * hand is not read again. Records that are new meanwhile push others to later pages, where they appear twice. Removed
	 * ones pull others to earlier pages, where they never appear: the totals say so, and the list is read once more.
	 * `isEnough` gets the last page and the IDs of all pages.
	 */
	async list<Name extends ListName>(
		name: Name,
		filter: FilterOf<Name>,
		limit = Infinity,
		{ firstPage, path, isEnough, atLeast = 0 }: ListOptions<RecordOf<Name>> = {},
	): Promise<Array<RecordOf<Name>>> {
		const readPage = async (start: number) => {
			const body = { ...filter, start, length: PAGE_LENGTH };
			const request = { path, body } as unknown as RequestOf<Name>;
			return (await this.call(name, request)).result as Page<RecordOf<Name>>;
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
		for (const isLast of [false, true]) {
			const first = (!isLast && firstPage) || (await readPage(0));
			// A provider may return shorter pages than requested.
			const { length } = first.data;
			const found = new Set<unknown>();
			const own: Array<RecordOf<Name>> = [];
			const totals: number[] = [];
			let isRead = false;
			for (let pages = [first]; pages.length > 0; ) {
				const before = found.size;
				totals.push(...pages.map(({ total }) => total));
				if (totals.length > MAX_PAGES) throw listError(`The list has more than ${MAX_PAGES} pages`);
				for (const row of pages.flatMap(({ data }) => data)) {
					const key = keyOf(row);
					if (!found.has(key) && isOwn(row)) own.push(row);
					found.add(key);
				}
				isRead = isEnough?.(pages.at(-1)?.data ?? [], found) === true;
				if (isRead || found.size === before) break;
				const missing = Math.ceil((limit - own.length) / length);
				const needed = Math.ceil((atLeast - found.size) / length);
				const most = Math.max(needed, this.http.maxParallelRequests);
				const starts = Array.from(
					{ length: Math.min(missing, most) },
					(_, page) => (totals.length + page) * length,
				).filter((start) => start < (totals.at(-1) ?? 0));
				pages = await this.mapParallel(starts, readPage);
			}
			const grows = totals.every((total, at) => at === 0 || total >= (totals[at - 1] ?? 0));
			// More than the last total: it is wrong, and there may be more pages.
			isRead ||= found.size >= first.total && found.size <= (totals.at(-1) ?? 0);
			const isWhole = grows && isRead;
			if (isWhole || own.length >= limit || (isLast && limit < Infinity))
				return own.slice(0, limit);
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
		const read = async (ofId: number) => {
			const path = { carrier_code: carrierCode, id: ofId };
			const { result } = await this.call('getShipment', { path }, limits);
			// If nothing says which piece is the main one, it is the one that was created first.
			return result.toSorted(
				(a, b) => Number(isAdditional(a)) - Number(isAdditional(b)) || Number(a.id) - Number(b.id),
			);
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
		{ mayHaveActed: false, cause: 'temporarily-unavailable' },
	);
