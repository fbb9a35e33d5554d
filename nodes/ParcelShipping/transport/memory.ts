import { keepLatest } from '../lists';

// What this process remembers about an account until the process ends. An account is a provider together with the values
// of a credential. Without this memory, the executions would send a few more requests, and if the list of the provider is
// behind, an order that comes twice within a moment could ship twice.

/** The latest values, each for a while. */
class Recent<Value> {
	private readonly values = new Map<string, { value: Value; atMs: number }>();

	constructor(
		private readonly ms: number,
		private readonly max: number,
	) {}

	get(name: string): Value | undefined {
		const found = this.values.get(name);
		return found && Date.now() - found.atMs <= this.ms ? found.value : undefined;
	}

	set(name: string, value: Value): void {
		keepLatest(this.values, name, { value, atMs: Date.now() }, this.max);
	}

	delete(name: string): void {
		this.values.delete(name);
	}
}

const newMemory = () => ({
	/** Of the latest sign-in. */
	token: '',
	/** Which of the two paths of an endpoint has worked, by the endpoint's title. */
	workingPaths: new Map<string, string>(),
	/** What the carriers offer. It hardly ever changes, and every creation needs it. */
	offers: new Recent<object>(10 * 60_000, 300),
	/**
	 * What was sent to be created, by order number, and the ID of its main piece, if a response or a record has named it.
	 * Another execution does not send it again, even if no record shows it: lists lag, providers finish a request after
	 * their gateway gave up, and shops send one order twice within a second.
	 */
	sent: new Recent<{ carrierCode: string; id?: number }>(5 * 60_000, 10_000),
});

export type AccountMemory = ReturnType<typeof newMemory>;

const accounts = new Map<string, AccountMemory>();

export function accountMemoryOf(account: string): AccountMemory {
	const memory = accounts.get(account) ?? newMemory();
	keepLatest(accounts, account, memory, 100);
	return memory;
}
