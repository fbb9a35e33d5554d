import { keepLatest } from '../lists';

// What this process remembers about an account until the process ends. An account is a provider together with the values
// of a credential. Without this memory, the executions would send a few more requests, and if the list of the provider is
// behind, an order that comes twice within a moment could ship twice.

const MAX_ACCOUNTS = 100;
const MAX_SHARED = 300;
const SHARED_MS = 10 * 60_000;
const MAX_SENT = 10_000;
const LATELY_MS = 5 * 60_000;

/** What was sent to be created, and the ID of its main piece, if a response or a record has named it. */
interface LatelySent {
	carrierCode: string;
	id?: number;
}

type Timed<Value> = Map<string, Value & { atMs: number }>;

export interface AccountMemory {
	/** Which of the two paths of an endpoint has worked, by the endpoint's title. */
	workingPaths: Map<string, string>;
	/** What the carriers offer. It hardly ever changes, and every creation needs it. */
	shared: Timed<{ response: Promise<object> }>;
	/**
	 * By order number. Lists lag, providers finish a request after their gateway gave up, and shops send one order twice
	 * within a second. So an order that this process sent a moment ago is not sent again by another execution, also if no
	 * record shows it. If the process ends, only the records are left.
	 */
	sent: Timed<LatelySent>;
}

const accounts = new Map<string, AccountMemory>();

export function accountMemoryOf(account: string): AccountMemory {
	const memory = accounts.get(account) ?? {
		...{ workingPaths: new Map(), shared: new Map(), sent: new Map() },
	};
	keepLatest(accounts, account, memory, MAX_ACCOUNTS);
	return memory;
}

export const noteShared = (
	{ shared }: AccountMemory,
	question: string,
	response: Promise<object>,
) => keepLatest(shared, question, { response, atMs: Date.now() }, MAX_SHARED);

/** What an execution of this process has requested in the last ten minutes. */
export const sharedLately = ({ shared }: AccountMemory, question: string) =>
	recent(shared.get(question), SHARED_MS)?.response;

export const noteSent = ({ sent }: AccountMemory, orderNumber: string, shipment: LatelySent) =>
	keepLatest(sent, orderNumber, { ...shipment, atMs: Date.now() }, MAX_SENT);

/** What this process sent for the order in the last five minutes. */
export const sentLately = ({ sent }: AccountMemory, orderNumber: string): LatelySent | undefined =>
	recent(sent.get(orderNumber), LATELY_MS);

const recent = <Value extends { atMs: number }>(value: Value | undefined, ms: number) =>
	value && Date.now() - value.atMs <= ms ? value : undefined;
