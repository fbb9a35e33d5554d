import { deepCopy } from 'n8n-workflow';

import { mapParallel, requestAndHandle } from './concurrency';
import type {
	Batch,
	BodyOf,
	Carrier,
	CarrierService,
	CreationEnvelope,
	EndpointName,
	ListedShipment,
	PathOf,
	Printer,
	QueryOf,
	ResponseOf,
	ShipmentCreation,
	ShipmentDetail,
} from './contract';
import { CREDENTIAL_TYPE, type ParcelShippingCredential, readBaseUrl } from './credential';
import { addressOf, type CarrierEndpoint, creationEndpointOf, endpointOf } from './endpoints';
import { isMissingEndpoint, noCreationError, notOfferedError, ServiceError } from './errors';
import { type Page, readList, toPage } from './paging';
import { type ClientOptions, Sender } from './sender';
import { findShared, share } from './serviceMemory';
import type { Caller } from './session';

export type { ClientOptions } from './sender';
export { DEFAULT_MAX_CONCURRENCY, DEFAULT_MAX_RETRY_WAIT_MS } from './sender';

type Request<Name extends EndpointName> = (BodyOf<Name> extends undefined
	? { body?: undefined }
	: { body: BodyOf<Name> }) &
	(PathOf<Name> extends undefined ? { path?: undefined } : { path: PathOf<Name> }) &
	(QueryOf<Name> extends undefined ? { query?: undefined } : { query?: QueryOf<Name> });

/** Whether a response must be to a request of this run, or may be shared by other executions. */
export type ResponseAge = 'new' | 'shared';

type Position = 'start' | 'length';
export type ShipmentFilter = Omit<BodyOf<'findShipments'>, Position>;
export type BatchFilter = Omit<BodyOf<'findBatches'>, Position>;
export type PickupPointFilter = BodyOf<'findPickupPoints'>;

const DEFAULT_TIMEOUT_MS = 60_000;

/** A client for one run of a node: reads the credential and checks its address once. */
export async function createClient(caller: Caller, options: ClientOptions = {}): Promise<Client> {
	const credential = await caller.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE);
	const address = readBaseUrl(credential.baseUrl);
	if ('problem' in address) {
		throw new ServiceError({
			message: address.problem,
			description: 'Open the credential and correct its Base URL.',
			endpoint: 'Parcel Shipping API credential',
			mayHaveActed: false,
			isTransient: false,
			cause: 'configuration-invalid',
		});
	}
	return new Client(caller, credential, address, options);
}

/** What can be requested from the service. `sender.ts` says how a request is sent. */
export class Client extends Sender {
	private readonly responses = new Map<string, Promise<unknown>>();

	/** Calls an endpoint and returns its checked response; throws a `ServiceError` otherwise. */
	async call<Name extends EndpointName>(
		name: Name,
		request: Request<Name>,
		timeoutMs = DEFAULT_TIMEOUT_MS,
	): Promise<ResponseOf<Name>> {
		const endpoint = endpointOf(name);
		const response = this.callEndpoint(endpoint, request, timeoutMs);
		return (await response.catch((thrown: unknown) => {
			throw endpoint.isOptional && isMissingEndpoint(thrown)
				? notOfferedError(thrown, endpoint)
				: thrown;
		})) as ResponseOf<Name>;
	}

	/** The carriers of the account. Requested once per run, unless they may be `shared`. */
	async carriers(age: ResponseAge = 'new'): Promise<Carrier[]> {
		return await this.onceOrShared('carriers', age, async () => {
			const { result } = await this.call('findCarriers', { body: {} });
			return result;
		});
	}

	/** The services of a carrier. Requested once per run and carrier, unless they may be `shared`. */
	async services(carrierCode: string, age: ResponseAge = 'new'): Promise<CarrierService[]> {
		return await this.onceOrShared(`services ${carrierCode}`, age, async () => {
			const { result } = await this.call('findServices', { body: { carrierCode } });
			return result;
		});
	}

	private async onceOrShared<Response extends object>(
		question: string,
		age: ResponseAge,
		request: () => Promise<Response>,
	): Promise<Response> {
		const sharedQuestion = `${question} ${this.account}`;
		const requestOnce = async () =>
			this.once(question, async () => share(sharedQuestion, request()));
		const found = age === 'shared' ? findShared<Response>(sharedQuestion) : undefined;
		// The execution that is waiting for it may be stopped, or be less patient.
		return await (found?.catch(requestOnce) ?? requestOnce());
	}

	/** The printers of the print service. Requested once per run. */
	async printers(): Promise<Printer[]> {
		return await this.once('printers', async () => {
			const { result } = await this.call('findPrinters', { body: {} });
			return result;
		});
	}

	async createShipments(
		carrierCode: string,
		shipments: ShipmentCreation[],
		{ timeoutMs, carrierEndpoint }: { timeoutMs: number; carrierEndpoint: CarrierEndpoint },
	): Promise<CreationEnvelope> {
		const endpoint = creationEndpointOf(carrierEndpoint);
		const path = { carrier_code: carrierCode };
		const response = this.callEndpoint(endpoint, { path, body: shipments }, timeoutMs);
		return (await response.catch((thrown: unknown) => {
			if (!isMissingEndpoint(thrown)) throw thrown;
			const tried = endpoint.paths.map((each) => addressOf(endpoint, each, path));
			throw noCreationError(thrown, tried);
		})) as unknown as CreationEnvelope;
	}

	/** The address at which shipments would be created first, such as `POST /ANT/Create`. */
	creationEndpoint(carrierEndpoint: CarrierEndpoint, carrierCode: string): string {
		const endpoint = creationEndpointOf(carrierEndpoint);
		const [first = ''] = this.orderedPaths(endpoint);
		return addressOf(endpoint, first, { carrier_code: carrierCode });
	}

	/** One page of the list of shipments. */
	async findShipments(
		filter: ShipmentFilter,
		start: number,
		length: number,
		timeoutMs?: number,
	): Promise<Page<ListedShipment>> {
		return toPage(
			await this.call('findShipments', { body: { ...filter, start, length } }, timeoutMs),
		);
	}

	/** The first `limit` shipments, `Infinity` for all. A `firstPage` at hand is not read again. */
	async listShipments(
		filter: ShipmentFilter,
		limit = Infinity,
		firstPage?: Page<ListedShipment>,
	): Promise<ListedShipment[]> {
		return await readList(
			async (start, length) => this.findShipments(filter, start, length),
			limit,
			async (starts, work) => this.mapParallel(starts, work),
			firstPage,
		);
	}

	/** One page of the list of batches. */
	async findBatches(filter: BatchFilter, start: number, length: number): Promise<Page<Batch>> {
		return toPage(await this.call('findBatches', { body: { ...filter, start, length } }));
	}

	/** The first `limit` batches, `Infinity` for all. */
	async listBatches(filter: BatchFilter, limit = Infinity): Promise<Batch[]> {
		return await readList(
			async (start, length) => this.findBatches(filter, start, length),
			limit,
			async (starts, work) => this.mapParallel(starts, work),
		);
	}

	/** A main shipment and its pieces. */
	async getShipment(
		carrierCode: string,
		id: number,
		timeoutMs?: number,
	): Promise<{ result: ShipmentDetail[]; correlationId: string }> {
		return await this.call('getShipment', { path: { carrier_code: carrierCode, id } }, timeoutMs);
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

	/** Runs `work` for every item in parallel. See `concurrency.ts`. */
	async mapParallel<Item, Result>(
		items: readonly Item[],
		work: (item: Item, index: number) => Promise<Result>,
	): Promise<Result[]> {
		return await mapParallel(items, this.maxConcurrency, work);
	}

	/** Sends requests in parallel and handles their responses one by one. See `concurrency.ts`. */
	async requestAndHandle<Item, Response>(
		items: readonly Item[],
		request: (item: Item) => Promise<Response | undefined>,
		handle: (response: Response) => void,
	): Promise<void> {
		await requestAndHandle(items, this.maxConcurrency, request, handle);
	}
}
