import type { IDataObject } from 'n8n-workflow';

import type { SandboxOptions } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { startEngine } from '../support/engine';
import { valuesOf } from '../support/outputs';

const createFiles = {
	resource: 'label',
	operation: 'create',
	shipments: 'notPrinted',
};
const printer = { __rl: true, mode: 'name', value: 'Warehouse A4' };
const send = {
	resource: 'label',
	operation: 'sendToPrinter',
	labels: 'notPrinted',
	printerName: printer,
};

async function start(options: SandboxOptions = {}) {
	const sandbox = await startSandbox(options);
	const engine = await startEngine(sandboxCredential(sandbox.url));
	const run = async (parameters: typeof createFiles | typeof send, items: IDataObject[] = [{}]) =>
		engine.run({ parameters: parameters as never, items, onError: 'continueErrorOutput' });
	sandbox.seedShipments(2, { pieceCount: 2 });
	sandbox.seedShipments(1, { serviceType: 'CRANE-EU' });
	return { sandbox, run };
}

test.each<[string, SandboxOptions]>([
	['lists everything', {}],
	['has the other dialect', { dialect: 'documented' }],
	['lists main shipments only', { listsOnlyMain: true }],
	[
		'lists main shipments without piece counts',
		{ listsOnlyMain: true, listsWithoutPieceCount: true },
	],
	['does not list what was printed', { listsWithoutStates: true }],
	['does not say what belongs together', { recordsWithoutMain: true }],
])('every label that was not printed is printed once, by a service that %s', async (_, options) => {
	const { sandbox, run } = await start(options);
	const first = await run(send, [{}, {}]);
	expect(first.errorItems).toEqual([]);
	const printed = () => sandbox.database.printJobs().map(({ count }) => count);
	expect(printed().sort()).toEqual([1, 4]);
	const { items } = await run(send);
	expect(valuesOf(items, 'message')).toEqual(['Nothing to print']);
	expect(printed()).toHaveLength(2);
	await sandbox.close();
});

test('carriers whose labels take different requests have their files, and none fails', async () => {
	const { sandbox, run } = await start();
	sandbox.reset();
	sandbox.seedShipments(1, { serviceType: 'CRANE-EU' });
	sandbox.seedShipments(1_000);
	const { items, errorItems } = await run(createFiles);
	expect(valuesOf(errorItems, 'error')).toEqual([]);
	expect(valuesOf(items, 'labelsCount').sort()).toEqual([1, 1_000]);
	await sandbox.close();
});

test('label files of everything that was not printed are one file per carrier', async () => {
	const { sandbox, run } = await start();
	const { items } = await run(createFiles);
	expect(valuesOf(items, 'labelsCount').sort()).toEqual([1, 4]);
	expect(valuesOf((await run(createFiles)).items, 'labelsCount')).toEqual([0]);
	await sandbox.close();
});

test('if the service does not say what was printed, nothing is printed', async () => {
	const { sandbox, run } = await start({ listsWithoutStates: true, detailsWithoutPrinted: true });
	const { errorItems } = await run(send);
	expect(errorItems[0]?.json.error).toBe('The provider does not say which labels were printed');
	expect(sandbox.database.printJobs()).toEqual([]);
	await sandbox.close();
});

test('the labels are printed on the printer of the first item', async () => {
	const { sandbox, run } = await start();
	const both = { ...send, printerName: '={{ $json.printer }}' };
	const { items } = await run(both as never, [
		{ printer: 'Warehouse A4' },
		{ printer: 'Warehouse Zebra' },
	]);
	expect(new Set(items.map(({ json }) => json.printerName))).toEqual(new Set(['Warehouse A4']));
	await sandbox.close();
});
