import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import type { RunResult, RunSettings } from '../support/engine';
import { fieldsOf } from '../support/outputs';
import { creationForm, orderItem, ordersOf, refusedOrder } from '../support/shop';
import { useShop } from '../support/useShop';

// A lost response, and what is sent again when n8n, or a person, runs the node again for the same items.
// The same holds for everything that may happen only once.

const shop = useShop();
const UNKNOWN = /Could not confirm|may or may not/;
let seeded = 0;

const options = { maxRetryWait: 0 };
const shipment = {
	resource: 'shipment',
	carrierCode: 'ANT',
	shipmentIds: '={{ $json.id }}',
	options,
};
const numbers = { shipments: 'numbers', packageNumber: '={{ $json.packageNumberCarrier }}' };
const hash = { resource: 'label', labels: 'hash', hash: '={{ $json.hash }}' };
const print = { ...shipment, ...hash, operation: 'sendToPrinter', printerName: 'Warehouse Zebra' };

const seedOrder = async (): Promise<IDataObject> => orderItem(`A-${++seeded}`);
const seedShipment = async () => ({ ...shop.sandbox.seedShipments(1)[0] }) as never as IDataObject;
const seedHash = async (): Promise<IDataObject> => ({
	hash: (await shop.create([await seedOrder()])).items[0]?.json.labelsHash,
});

/** The endpoint, the form, an item of its own, and how often it took effect at the service. */
type Kind = [
	string,
	Fault['operation'],
	INodeParameters,
	() => Promise<IDataObject>,
	() => unknown[],
];
const create = creationForm({ ...options, ifExists: 'create' });
const cancel = { ...shipment, ...numbers, operation: 'cancel' };
const handOver = { ...shipment, operation: 'handOver', shipments: 'ids' };
const canceled = () => shop.shipments().filter((each) => each.canceled);
const handOvers = () => shop.sandbox.database.handOvers();
const kinds: Kind[] = [
	['An order', 'createShipments', create, seedOrder, () => shop.shipments()],
	['A cancellation', 'cancelShipments', cancel, seedShipment, canceled],
	['A hand-over', 'handOverShipments', handOver, seedShipment, handOvers],
	['A print job', 'sendToPrinter', print, seedHash, () => shop.sandbox.database.printJobs()],
];

describe.each(kinds)('%s with a lost response', (_, endpoint, parameters, seed, done) => {
	const sent = () => shop.requests(endpoint).length;
	const lose = (times = 1) => shop.fault(endpoint, { kind: 'reset', times });
	const run = async (items: IDataObject[], more: Partial<RunSettings> = {}) =>
		shop.engine.run({ parameters, items, ...more });

	type Settings = { lost?: number; isTool?: boolean; hasOther?: boolean; tries?: number };
	test.each<[string, Settings, number]>([
		['is sent again in a retry by a person, if the records do not show it', {}, 2],
		['is not sent again in a retry by n8n', { lost: 2, tries: 3 }, 2],
		['is not sent again by a tool without an execution ID', { isTool: true }, 1],
	])('%s', async (__, { lost = 1, isTool = false, hasOther = false, tries = 1 }, expected) => {
		const items = [await seed()];
		lose(lost);
		const failed: RunResult = await run(items, { isTool });
		expect(failed.error?.message).toMatch(UNKNOWN);
		const again = hasOther ? [await seed()] : items;
		const { error } = await run(again, { retryOf: failed, isTool, tries });
		expect([sent(), done().length]).toEqual([expected, expected - lost]);
		expect(error === undefined).toBe(expected > lost);
	});
});

test('a print job with a lost response is not sent again in a retry by a person, if the records say printed', async () => {
	const [{ id } = { id: 0 }] = shop.sandbox.seedShipments(1);
	const printShipment = async (more: Partial<RunSettings> = {}) =>
		shop.engine.run({ parameters: { ...print, labels: 'shipments' }, items: [{ id }], ...more });
	shop.fault('sendToPrinter', { kind: 'reset', when: 'after' });
	const { error } = await printShipment({ retryOf: await printShipment() });
	expect(error?.message).toContain(
		'may or may not have been printed on "Label printer by the gate',
	);
	expect(error?.description).toContain('Check the printer first');
	expect(error?.description).toContain('The service says that the labels were printed');
	expect(shop.requests('sendToPrinter')).toHaveLength(1);
	expect((await printShipment()).error).toBeUndefined();
});

test('a person who corrects a refused order and retries gets the others as they were created', async () => {
	const stop = { onError: 'stopWorkflow' } as const;
	const failed = await shop.create([orderItem('A-1'), refusedOrder('A-2')], {}, stop);
	expect(failed.error?.description).toContain('A-1 (ID 1001');
	const { items } = await shop.create(ordersOf('A-1', 'A-2'), {}, { ...stop, retryOf: failed });
	expect(fieldsOf(items, 'id', 'alreadyExisted')).toEqual([
		[1001, false],
		[1002, false],
	]);
	expect(shop.shipments()).toHaveLength(2);
});
