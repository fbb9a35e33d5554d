import { deepCopy } from 'n8n-workflow';

import { isAdditional, mainIdOf } from '../records';
import { isSameCode, keepLatest, mapParallel } from '../lists';
import {
	type Batch,
	type BodyOf,
	type Carrier,
	type CarrierService,
	type EndpointName,
	type ListedShipment,
	type PastHandOver,
	type PickupPoint,
	type Printer,
	type RequestOf,
	type ResponseOf,
	type ServiceAddon,
	type ShipmentDetail,
} from './contract';
import { CREDENTIAL_TYPE, type ParcelShippingCredential, readBaseUrl } from './credential';
import type { BodyStream } from './body';
import { download, DOWNLOAD, type FileFormat, type FileSource } from './download';
import { endpointOf, type UnsafeEndpoint } from './endpoints';
import { isMissingEndpoint, isRefusal, notOfferedError } from './errors';
import { type Page, readList } from './paging';
import { type Caller, type RequestLimits, Sender } from './sender';

export type { Page } from './paging';

/** Whether a response must be to a request of this run, or may be shared by other executions. */
export type ResponseAge = 'new' | 'shared';

/** The records of the lists that `list` reads. */
interface Records {
	findShipments: ListedShipment;
	findBatches: Batch;
	findHandOvers: PastHandOver;
	findPickupPoints: PickupPoint;
}

type FilterOf<Name extends EndpointName> = Omit<BodyOf<Name>, 'start' | 'length'>;
export type ShipmentFilter = FilterOf<'findShipments'>;
export type BatchFilter = FilterOf<'findBatches'>;
export type PickupPointFilter = FilterOf<'findPickupPoints'>;

/** The carriers in the filter of a list. That of hand-overs has another name for them. */
type CarrierFilter = Partial<Record<'carrierCodes' | 'carrierCode', readonly string[] | null>>;

const SHARED_MS = 10 * 60_000;
const MAX_SHARED = 300;

/** A client for one run of a node: reads the credential and checks its address once. */
export async function createClient(caller: Caller, limits: RequestLimits = {}): Promise<Client> {
	const credential = await caller.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE);
	return new Client(caller, credential, readBaseUrl(credential.baseUrl), limits);
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

/** What can be requested from the service. `sender.ts` says how a request is sent. */
export class Client extends Sender {
	private readonly responses = new Map<string, Promise<unknown>>();

	/**
	 * Calls an endpoint and returns its checked response; throws a `ServiceError` otherwise. What may
	 * happen only once is not offered here, see `UnsafeCalls`.
	 */
	async call<Name extends Exclude<EndpointName, UnsafeEndpoint>>(
		name: Name,
		request: RequestOf<Name>,
		limits?: RequestLimits,
	): Promise<ResponseOf<Name>> {
		const endpoint = endpointOf(name);
		const response = this.callEndpoint(endpoint, request, limits);
		return (await response.catch((thrown: unknown) => {
			throw endpoint.isOptional && isMissingEndpoint(thrown)
				? notOfferedError(thrown, endpoint)
				: thrown;
		})) as ResponseOf<Name>;
	}

	async carriers(age: ResponseAge = 'new', limits?: RequestLimits): Promise<Carrier[]> {
		const request = async () => this.call('findCarriers', { body: {} }, limits);
		return await this.onceOrShared('carriers', age, request);
	}

	async services(carrierCode: string, age: ResponseAge = 'new'): Promise<CarrierService[]> {
		const request = async () => this.call('findServices', { body: { carrierCode } });
		return await this.onceOrShared(`services ${carrierCode}`, age, request);
	}

	async serviceAddons(carrierCode: string, serviceType: string): Promise<ServiceAddon[]> {
		const path = { carrier_code: carrierCode };
		const request = async () => this.call('findServiceAddons', { path, query: { serviceType } });
		return (await this.once(`addons ${carrierCode} ${serviceType}`, request)).result;
	}

	/** Requested once per run. A `shared` response may also be one that another execution of this process requested. */
	private async onceOrShared<Result extends object>(
		question: string,
		age: ResponseAge,
		request: () => Promise<{ result: Result }>,
	): Promise<Result> {
		const { shared } = this.memory;
		const requestOnce = async () =>
			this.once(question, async () => {
				const response = request();
				keepLatest(shared, question, { response, requestedAt: Date.now() }, MAX_SHARED);
				return await response;
			});
		const known = age === 'shared' ? shared.get(question) : undefined;
		const isRecent = known && Date.now() - known.requestedAt <= SHARED_MS;
		// One that failed is requested again: its execution may have been stopped, or less patient.
		const response = isRecent ? known.response.catch(requestOnce) : requestOnce();
		return deepCopy(((await response) as { result: Result }).result);
	}

	async printers(): Promise<Printer[]> {
		const request = async () => this.call('findPrinters', { body: {} });
		return (await this.once('printers', request)).result;
	}

	async findShipments(
		filter: ShipmentFilter,
		start: number,
		length: number,
	): Promise<Page<ListedShipment>> {
		const body = { ...filter, start, length };
		return (await this.call('findShipments', { body })).result;
	}

	/** A page without records that are null, and with those that lack their ID or carrier, which are errors otherwise. */
	async findUncheckedShipments(
		filter: ShipmentFilter,
		start: number,
		length: number,
		timeoutMs: number,
	): Promise<Page<ListedShipment>> {
		const result = { type: 'page', skipsNull: true } as const;
		const endpoint = { ...endpointOf('findShipments'), result };
		const body = { ...filter, start, length };
		const response = await this.callEndpoint(endpoint, { body }, { timeoutMs });
		return response.result as unknown as Page<ListedShipment>;
	}

	/**
	 * The first `limit` records of a list. A `firstPage` at hand is not read again. Some services ignore the
	 * carriers in the filter: then all records are read, and those of other carriers are left out.
	 */
	async list<Name extends keyof Records>(
		name: Name,
		filter: FilterOf<Name>,
		limit = Infinity,
		{ firstPage, path }: { firstPage?: Page<Records[Name]> | undefined; path?: object } = {},
	): Promise<Array<Records[Name]>> {
		const { maxParallelRequests } = this;
		const readPage = async (start: number, length: number) => {
			const request = { path, body: { ...filter, start, length } } as unknown as RequestOf<Name>;
			return (await this.call(name, request)).result as Page<Records[Name]>;
		};
		// Pickup points have no ID, and several may have the same code, for example in other countries.
		const keyOf = (record: object) =>
			name === 'findPickupPoints' ? JSON.stringify(record) : (record as { id: number }).id;
		const list = { readPage, firstPage, keyOf, maxParallelRequests };
		const { carrierCodes, carrierCode: codes = carrierCodes } = filter as CarrierFilter;
		const isOwn = (record: object) => {
			const { carrierCode } = record as { carrierCode?: string | null };
			// Also a record that does not say its carrier.
			return codes?.some((code) => isSameCode(code, carrierCode ?? code)) ?? true;
		};
		const first = await readList(list, limit);
		const isWhole = first.length < limit || first.every(isOwn);
		const records = isWhole ? first : await readList(list, Infinity);
		return records.filter(isOwn).slice(0, limit);
	}

	/**
	 * A main shipment and its pieces, the main one first. Some services return the detail of an additional
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

	async download<Saved>(
		url: string,
		format: FileFormat,
		save: (stream: BodyStream) => Promise<Saved>,
	): Promise<Saved> {
		const source: FileSource = {
			address: this.address,
			request: async (options, isOwn) =>
				isOwn ? this.send(options, DOWNLOAD) : this.sendOnce(options, DOWNLOAD, 'none'),
			withoutSecret: (target) => this.secrets.withoutSecret(target),
			fail: (thrown, target) => this.fail(thrown, DOWNLOAD, target),
		};
		return await this.withRetries({ safe: true }, DOWNLOAD, async () =>
			download(url, format, source, save),
		);
	}

	/**
	 * The response to a question that several items of a run may have. It is requested once, and every
	 * further caller gets a copy, so that a later node that changes one item does not change others.
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

	async mapParallel<Item, Result>(
		items: readonly Item[],
		work: (item: Item, index: number) => Promise<Result>,
	): Promise<Result[]> {
		return await mapParallel(items, this.maxParallelRequests, work);
	}
}
