import axios, { type AxiosInstance } from 'axios';
import type { ShipmentCreation } from '../../contract/types.generated';
import { type Clock, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';

/** Shares no code with the nodes, so that the tests of the sandbox stay independent. */
export const clientOf = (
	{ url }: Sandbox,
	headers: Record<string, string> = { 'X-Api-Key': 'sandbox-key' },
): AxiosInstance => axios.create({ baseURL: url, headers, validateStatus: () => true });

/** A clock that only moves when the sandbox is advanced. */
export const stillClock = (iso: string): Clock => ({ now: () => new Date(iso) });

/** Starts a sandbox for the tests of a file. */
export function useSandbox(options: SandboxOptions = {}) {
	const stage = {} as { sandbox: Sandbox; client: AxiosInstance };
	beforeAll(async () => {
		stage.sandbox = await startSandbox(options);
		stage.client = clientOf(stage.sandbox);
	});
	afterEach(() => stage.sandbox.reset());
	afterAll(async () => stage.sandbox.close());
	return stage;
}

export function shipment(fields: Partial<ShipmentCreation> = {}): ShipmentCreation {
	return {
		...{ serviceType: 'ANT-HOME', packageNumberCustom: 'ORDER-1', price: 1290.5 },
		...{ recName: 'Jana Nováková', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '01001' },
		...{ recCountry: 'CZ', recPhone: '+420777123456', recEmail: 'jana@example.com' },
		...fields,
	};
}
