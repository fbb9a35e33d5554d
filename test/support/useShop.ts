import type { IDataObject } from 'n8n-workflow';

import { type Fault, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { newAccount } from './credentials';
import { type Engine, type RunSettings, startEngine } from './engine';
import { creationForm } from './shop';

type Operation = Fault['operation'];

/** Starts a sandbox and n8n's engine for the tests of a file or of a `describe`. Each test has an account of its own. */
export function useShop(options: SandboxOptions = {}) {
	const shop = {
		sandbox: undefined as unknown as Sandbox,
		engine: undefined as unknown as Engine,

		/** Creates shipments. Failed items leave through the error output unless `more` says otherwise. */
		create: async (
			items: IDataObject[],
			formOptions: IDataObject = {},
			more: Partial<RunSettings> = {},
		) =>
			shop.engine.run({
				parameters: creationForm(formOptions),
				items,
				onError: 'continueErrorOutput',
				...more,
			}),
		fault: (operation: Operation, fault: Omit<Fault, 'operation'>) =>
			shop.sandbox.fault({ operation, ...fault }),
		/** Changes the correct response to the next request. */
		rewrite: (operation: Operation, change: (body: never) => unknown, more: Partial<Fault> = {}) =>
			shop.sandbox.fault({ operation, kind: 'body', rewrite: change as never, ...more }),
		requests: (operation: Operation) =>
			shop.sandbox.requests.filter(({ operationId }) => operationId === operation),
		shipments: () => shop.sandbox.database.shipments(),
		references: () => shop.shipments().map(({ packageNumberCustom }) => packageNumberCustom),
		livingIds: () => shop.shipments().flatMap(({ id, canceled }) => (canceled ? [] : id)),
	};
	beforeAll(async () => {
		shop.sandbox = await startSandbox(options);
	});
	beforeEach(async () => {
		shop.sandbox.reset();
		shop.engine = await startEngine(newAccount(shop.sandbox.url));
	});
	afterAll(async () => shop.sandbox.close());
	return shop;
}
