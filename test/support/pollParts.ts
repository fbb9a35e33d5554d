import './host';

import { type PollContext, PollTriggerExecutor, TriggersAndPollers } from 'n8n-core';
import type { INodeType, INodeTypes, IPollFunctions } from 'n8n-workflow';
import path from 'node:path';

/** Loads the built node without any state in memory, like a new process. */
export function loadTrigger(): INodeType {
	for (const module of ['n8n-workflow', 'luxon']) {
		// Load these only once, because they are slow to load.
		const loaded = jest.requireActual<object>(module);
		jest.doMock(module, () => loaded);
	}
	const file = path.resolve(
		__dirname,
		'../../dist/nodes/ParcelShipping/ParcelShippingTrigger.node',
	);
	let trigger: INodeType | undefined;
	jest.isolateModules(() => {
		const { ParcelShippingTrigger } = jest.requireActual<BuiltModule>(file);
		trigger = new ParcelShippingTrigger();
	});
	return trigger as INodeType;
}

interface BuiltModule {
	ParcelShippingTrigger: new () => INodeType;
}

/** n8n-core's poll executor without logging and tracing. */
export function newExecutor(): PollTriggerExecutor {
	const logger = { debug: () => {}, error: () => {}, scoped: () => logger };
	const withSpan = async <T>(_: unknown, work: (span: object) => Promise<T>): Promise<T> =>
		await work({ setStatus: () => {} });
	const tracing = {
		startSpan: withSpan,
		startNewTraceSpan: withSpan,
		pickWorkflowAttributes: () => ({}),
		pickNodeAttributes: () => ({}),
	};
	return new PollTriggerExecutor(
		logger as never,
		new TriggersAndPollers(),
		tracing as never,
		{ error: () => {} } as never,
	);
}

export function typesOf(trigger: INodeType): INodeTypes {
	return {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	} as INodeTypes;
}

/** The types of n8n-core and n8n-workflow differ in optional properties. */
export function asPollFunctions(context: PollContext): IPollFunctions {
	return context as unknown as IPollFunctions;
}
