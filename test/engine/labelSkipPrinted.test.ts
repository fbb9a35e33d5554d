import { valuesOf } from '../support/outputs';
import { SERVICE_KINDS, SERVICES } from '../support/services';
import { useShop } from '../support/useShop';

import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';

const options = { skipPrinted: true };
const print = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}', options };
const printer = { labels: 'shipments', printerName: 'Warehouse Zebra' };
const send = { ...print, ...printer, operation: 'sendToPrinter' };

describe.each(SERVICE_KINDS)('With Skip Printed at the %s service', (kind) => {
	const shop = useShop(SERVICES[kind]);

	/** Two shipments of one carrier, and one of another. */
	const seed = (): IDataObject[] =>
		[
			...shop.sandbox.seedShipments(2, { serviceType: 'ANT-HOME' }),
			...shop.sandbox.seedShipments(1, { serviceType: 'CRANE-EU' }),
		].map(({ id, carrierCode }) => ({ id, carrierCode }));
	const labelCounts = () => shop.sandbox.database.printJobs().map(({ count }) => count);
	const faultDetails = (fault: Omit<Fault, 'operation'>) => {
		for (const operation of ['getShipment', 'getShipmentShort'] as const) {
			shop.fault(operation, { times: Infinity, ...fault });
		}
	};

	test('printed shipments are left out, and the output says so', async () => {
		const items = seed();
		await shop.engine.run({ parameters: send, items: items.slice(0, 1) });
		const { items: output } = await shop.engine.run({ parameters: send, items });
		expect(labelCounts()).toEqual([1, 1, 1]);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ skipped: true, alreadyPrinted: [items[0]?.id] },
			{ carrierCode: 'ANT', labelsCount: 1, printed: true },
			{ carrierCode: 'CRANE', labelsCount: 1, printed: true },
		]);
		expect(output[0]?.pairedItem).toEqual([{ item: 0 }]);

		const { items: files } = await shop.engine.run({
			parameters: print,
			items: [...items, ...seed()],
		});
		expect(files.map(({ json, binary }) => [json.skipped ?? json.labelsCount, !!binary])).toEqual([
			...Array(3).fill([true, false]),
			[2, true],
			[1, true],
		]);
	});

	test('additional pieces of a printed shipment are left out, too', async () => {
		const more = { serviceType: 'ANT-HOME', pieceCount: 3 };
		const pieces = shop.sandbox
			.seedShipments(1, more)
			.map(({ id }) => ({ id, carrierCode: 'ANT' }));
		await shop.engine.run({ parameters: send, items: pieces });
		const { items: output } = await shop.engine.run({ parameters: send, items: pieces });
		expect(valuesOf(output, 'skipped')).toEqual([true, true, true]);
		expect(labelCounts()).toEqual([3]);
	});

	test('a shipment is printed if its record does not say whether it was printed before', async () => {
		const rewrite = ({ result }: { result: unknown }) => ({
			result: [result].flat().map((record) => ({ ...(record as object), printed: null })),
		});
		faultDetails({ kind: 'body', rewrite });
		const { items } = await shop.engine.run({ parameters: send, items: seed() });
		expect(valuesOf(items, 'printed')).toEqual([true, true]);
		expect(labelCounts()).toEqual([2, 1]);
	});

	test('Retry On Fail prints and saves what the first try could not', async () => {
		const items = seed().slice(0, 2);
		shop.fault('sendToPrinter', { kind: 'status', status: 400 });
		const { error } = await shop.engine.run({ parameters: send, items, tries: 2 });
		expect(error).toBeUndefined();
		expect(labelCounts()).toEqual([2]);
		// The service says that the labels were printed, although their file was not saved.
		shop.fault('labelFile', { kind: 'html' });
		const saved = { parameters: print, items: seed().slice(0, 2), tries: 2 };
		expect((await shop.engine.run(saved)).items[0]?.binary?.data).toBeDefined();
	});

	test.each([print, send])('nothing is printed without carrierCode ($operation)', async (given) => {
		const items = seed().map(({ id }) => ({ id }));
		const { error } = await shop.engine.run({ parameters: given, items });
		expect(error?.message).toBe('Skip Printed needs the carrier of the shipments of item 0');
		expect(shop.sandbox.requests).toEqual([]);
	});

	test('nothing is printed if the records cannot be read', async () => {
		faultDetails({ kind: 'status', status: 403 });
		const onError = 'continueErrorOutput';
		const { errorItems } = await shop.engine.run({ parameters: send, items: seed(), onError });
		expect(valuesOf(errorItems, 'error')).toEqual(
			Array(3).fill('The service does not allow this request (403)'),
		);
		expect(labelCounts()).toEqual([]);
	});
});
