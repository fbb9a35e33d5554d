import { keepLatest } from '../lists';

// What this process remembers about an account until the process ends. An account is a service together with
// the values of a credential. Without this memory, the executions would send a few more requests, and if the list of the
// service is behind, an order that comes twice within a moment could ship twice.

const MAX_ACCOUNTS = 100;

export interface AccountMemory {
	/** Which of the two paths of an endpoint has worked last, by the endpoint's title. */
	workingPaths: Map<string, string>;
	/**
	 * What the carriers offer. It hardly ever changes, and every creation needs it, so executions share it for
	 * ten minutes.
	 */
	shared: Map<string, { response: Promise<object>; requestedAt: number }>;
	/** What was sent to be created in the last five minutes, by order number. */
	sent: Map<string, LatelySent>;
}

/**
 * Lists lag, providers finish a request after their gateway gave up, and shops send one order twice within a second. So an
 * order that this process sent a moment ago is not sent again by another execution, also if no record shows it. If the
 * process ends, only the records are left.
 */
interface LatelySent {
	carrierCode: string;
	/** Of its main piece, if a response or a record has named it. */
	id?: number;
	sentAt: number;
}

const LATELY_MS = 5 * 60_000;
const MAX_SENT = 10_000;

export function noteSent(
	{ sent }: AccountMemory,
	orderNumber: string,
	shipment: Omit<LatelySent, 'sentAt'>,
): void {
	keepLatest(sent, orderNumber, { ...shipment, sentAt: Date.now() }, MAX_SENT);
}

/** What this process sent for the order in the last five minutes. */
export function sentLately(
	{ sent }: AccountMemory,
	orderNumber: string,
): Omit<LatelySent, 'sentAt'> | undefined {
	const known = sent.get(orderNumber);
	return known && Date.now() - known.sentAt <= LATELY_MS ? known : undefined;
}

const accounts = new Map<string, AccountMemory>();

export function accountMemoryOf(account: string): AccountMemory {
	const memory = accounts.get(account) ?? {
		workingPaths: new Map(),
		shared: new Map(),
		sent: new Map(),
	};
	keepLatest(accounts, account, memory, MAX_ACCOUNTS);
	return memory;
}
