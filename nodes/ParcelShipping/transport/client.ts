import { deepCopy, type IDataObject } from 'n8n-workflow';

import { mapParallel, requestAndHandle } from './concurrency';
import {
	type AnswerOf,
	type Batch,
	type BodyOf,
	type Carrier,
	type CarrierService,
	type CreationEnvelope,
	type EndpointName,
	type ListedShipment,
	type PathOf,
	type Printer,
	type QueryOf,
	type ShipmentCreation,
	type ShipmentDetail,
} from './contract';
import {
	type ParcelShippingCredential,
	readBaseUrl,
	redactSecrets,
	type ServiceAddress,
} from './credential';
import {
	type CarrierEndpoint,
	chooseCreationEndpoint,
	createAtOneAddress,
	type CreationEndpoint,
} from './creationAddress';
import { type FileFormat, type FileStream, openFile } from './download';
import {
	type Endpoint,
	endpointOf,
	type EndpointRequest,
	nameOf,
	toHttpRequest,
} from './endpoints';
import { isMissingEndpoint, isNotFound, notOfferedError, ServiceError } from './errors';
import { type Page, readList, toPage } from './paging';
import { readAnswer } from './response';
import { type RequestLimits, Sender } from './sender';
import { messageBeside } from './serviceMessage';
import { findShared, share } from './sharedAnswers';
import { type Caller, CREDENTIAL_TYPE, HttpSession } from './session';

type Request<Name extends EndpointName> = (BodyOf<Name> extends undefined
	? { body?: undefined }
	: { body: BodyOf<Name> }) &
	(PathOf<Name> extends undefined ? { path?: undefined } : { path: PathOf<Name> }) &
	(QueryOf<Name> extends undefined ? { query?: undefined } : { query?: QueryOf<Name> });

/** Whether an answer must come from a request of this run, or other executions may have got it. */
export type AnswerAge = 'new' | 'shared';

type Position = 'start' | 'length';
export type ShipmentFilter = Omit<BodyOf<'findShipments'>, Position>;
export type BatchFilter = Omit<BodyOf<'findBatches'>, Position>;
export type PickupPointFilter = BodyOf<'findPickupPoints'>;

/** So that many messages do not fill the screen. */
const MAX_SERVICE_MESSAGES = 20;
const DEFAULT_TIMEOUT_MS = 60_000;
export const DEFAULT_MAX_RETRY_WAIT_MS = 60_000;
export const DEFAULT_MAX_CONCURRENCY = 4;

export type ClientOptions = Partial<RequestLimits>;

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

/** Every request to the service goes through a client, which also limits how many run at a time. */
export class Client {
	/** The number of requests at a time. */
	readonly maxConcurrency: number;

	private readonly session: HttpSession;

	private readonly sender: Sender;

	private readonly answers = new Map<string, Promise<unknown>>();

	/** What the service said beside its results, in words for the user, by its own words. */
	private readonly serviceMessages = new Map<string, string>();

	/** The address under which this service has shipment details, once one of the two has worked. */
	private detailEndpoint: 'getShipment' | 'getShipmentShort' | undefined;

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
		{
			maxRetryWaitMs = DEFAULT_MAX_RETRY_WAIT_MS,
			maxConcurrency = DEFAULT_MAX_CONCURRENCY,
			isPatient = false,
		}: ClientOptions,
	) {
		this.maxConcurrency = maxConcurrency;
		this.session = new HttpSession(caller, credential, address);
		const limits = { maxConcurrency, maxRetryWaitMs, isPatient };
		this.sender = new Sender(caller, credential, this.serviceKey, limits);
	}

	/** Calls an endpoint and returns its checked answer; throws a `ServiceError` otherwise. */
	async call<Name extends EndpointName>(
		name: Name,
		request: Request<Name>,
		timeoutMs = DEFAULT_TIMEOUT_MS,
	): Promise<AnswerOf<Name>> {
		const endpoint = endpointOf(name);
		const { otherPath } = endpoint;
		const answer = this.callEndpoint(endpoint, request, timeoutMs).catch((thrown: unknown) => {
			throw endpoint.isOptional && isMissingEndpoint(thrown)
				? notOfferedError(thrown, endpoint)
				: thrown;
		});
		if (otherPath === undefined) return (await answer) as AnswerOf<Name>;
		return (await answer.catch(async (missing: unknown) => {
			if (!isMissingEndpoint(missing)) throw missing;
			const other = { ...endpoint, path: otherPath };
			return await this.callEndpoint(other, request, timeoutMs).catch((thrown: unknown) => {
				throw isMissingEndpoint(thrown) ? missing : thrown;
			});
		})) as AnswerOf<Name>;
	}

	private async callEndpoint(
		endpoint: Endpoint,
		request: EndpointRequest,
		timeoutMs: number,
	): Promise<IDataObject> {
		const options = toHttpRequest(this.address.base, endpoint, request, timeoutMs);
		return await this.sender.send(endpoint, nameOf(endpoint), async (endpointName) => {
			const { statusCode: status, headers, body } = await this.session.send(options, endpointName);
			const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
			const answer = readAnswer(endpoint, { status, headers, body: text }, Date.now());
			const message = messageBeside(answer);
			if (message && this.serviceMessages.size < MAX_SERVICE_MESSAGES) {
				this.serviceMessages.set(message, `${endpoint.title}: The service said: ${message}`);
			}
			return answer;
		});
	}

	/** The carriers of the account. Requested once per run, unless they may be `shared`. */
	async carriers(age: AnswerAge = 'new'): Promise<Carrier[]> {
		return await this.onceOrShared('carriers', age, async () => {
			const { result } = await this.call('findCarriers', { body: {} });
			return result;
		});
	}

	/** The services of a carrier. Requested once per run and carrier, unless they may be `shared`. */
	async services(carrierCode: string, age: AnswerAge = 'new'): Promise<CarrierService[]> {
		return await this.onceOrShared(`services ${carrierCode}`, age, async () => {
			const { result } = await this.call('findServices', { body: { carrierCode } });
			return result;
		});
	}

	private async onceOrShared<Answer extends object>(
		question: string,
		age: AnswerAge,
		request: () => Promise<Answer>,
	): Promise<Answer> {
		// A credential with other values may belong to another account.
		const account = { ...this.credential, sessionToken: undefined };
		const sharedQuestion = JSON.stringify([question, account]);
		const requestOnce = async () =>
			this.once(question, async () => share(sharedQuestion, request()));
		const found = age === 'shared' ? findShared<Answer>(sharedQuestion) : undefined;
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

	/** Creates shipments at one of the two addresses for it. See `creationAddress.ts`. */
	async createShipments(
		carrierCode: string,
		shipments: ShipmentCreation[],
		{ timeoutMs, carrierEndpoint }: { timeoutMs: number; carrierEndpoint: CarrierEndpoint },
	): Promise<CreationEnvelope> {
		const path = { carrier_code: carrierCode };
		return await createAtOneAddress(
			carrierEndpoint,
			this.serviceKey,
			carrierCode,
			async (endpoint) =>
				endpoint === 'createShipmentsOfCarrier'
					? this.call(endpoint, { path, body: shipments }, timeoutMs)
					: this.call(endpoint, { body: shipments }, timeoutMs),
		);
	}

	/** The address for creation that is tried first. */
	creationEndpoint(carrierEndpoint: CarrierEndpoint): CreationEndpoint {
		return chooseCreationEndpoint(carrierEndpoint, this.serviceKey);
	}

	/** Credentials may belong to accounts that have different addresses. */
	private get serviceKey(): string {
		const { id } = this.caller.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
		return `${this.address.base} ${id ?? ''}`;
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

	/**
	 * A main shipment and its pieces. The service documents two addresses for it, and some services
	 * have only one of them, so a 404 is final only for the address that has worked before.
	 */
	async getShipment(
		carrierCode: string,
		id: number,
		timeoutMs?: number,
	): Promise<{ result: ShipmentDetail[]; correlationId: string }> {
		const request = { path: { carrier_code: carrierCode, id } };
		const read = async (endpoint: 'getShipment' | 'getShipmentShort') => {
			const answer = await this.call(endpoint, request, timeoutMs);
			this.detailEndpoint = endpoint;
			return answer;
		};
		if (this.detailEndpoint) return await read(this.detailEndpoint);
		return await read('getShipment').catch(async (notFound: unknown) => {
			if (!isNotFound(notFound) && !isMissingEndpoint(notFound)) throw notFound;
			return await read('getShipmentShort').catch((thrown: unknown) => {
				// An address that the service does not have says nothing about the shipment.
				throw isNotFound(thrown) && !isMissingEndpoint(notFound) ? notFound : thrown;
			});
		});
	}

	/**
	 * Passes the file behind an address that the service gave to `save` as a stream, after checking
	 * that its first bytes are those of the format.
	 */
	async download<Saved>(
		url: string,
		format: FileFormat,
		save: (stream: FileStream) => Promise<Saved>,
	): Promise<Saved> {
		return await this.sender.send({ safe: true }, 'Download a label file', async (name) => {
			const stream = await openFile(url, format, this.address, name, async (options, withSecret) =>
				withSecret
					? this.session.send(options, name)
					: this.session.sendWithoutCredential(options, name),
			).catch((thrown: unknown) => this.session.fail(thrown, name));
			return await save(stream).catch((thrown: unknown) => {
				// Either the connection broke in the middle of the file, or n8n could not save it.
				if (stream.errored) this.session.fail(thrown, name);
				throw thrown;
			});
		});
	}

	/**
	 * The answer to a question that several items of a run may have. It is requested once, and every
	 * further caller gets a copy, so that a later node that changes one item does not change others.
	 */
	async once<Answer extends object>(
		question: string,
		request: () => Promise<Answer>,
	): Promise<Answer> {
		const known = this.answers.get(question) as Promise<Answer> | undefined;
		if (known) return deepCopy(await known);
		const answer = request();
		this.answers.set(question, answer);
		return await answer;
	}

	/** What the service said beside its results, unless one of the errors already says it. */
	serviceMessagesExcept(errors: readonly string[]): string[] {
		return [...this.serviceMessages]
			.filter(([message]) => !errors.some((error) => error.includes(message)))
			.map(([, text]) => redactSecrets(text, this.credential));
	}

	/** Runs `work` for every item in parallel, up to the limit of this client. See `concurrency.ts`. */
	async mapParallel<Item, Result>(
		items: readonly Item[],
		work: (item: Item, index: number) => Promise<Result>,
	): Promise<Result[]> {
		return await mapParallel(items, this.maxConcurrency, work);
	}

	/** Sends requests in parallel and handles their answers one by one. See `concurrency.ts`. */
	async requestAndHandle<Item, Answer>(
		items: readonly Item[],
		request: (item: Item) => Promise<Answer | undefined>,
		handle: (answer: Answer) => void,
	): Promise<void> {
		await requestAndHandle(items, this.maxConcurrency, request, handle);
	}

	/** Whether polls send nothing, because the service has asked for a pause. */
	get isHeldBack(): boolean {
		return this.sender.isHeldBack;
	}

	/** Whether the user has stopped the workflow. */
	get isStopped(): boolean {
		return this.sender.isStopped;
	}

	/** Waits, or returns early if the user stops the workflow. */
	async pause(ms: number): Promise<void> {
		await this.sender.pause(ms);
	}
}
