import { dialectNames } from '../../sandbox';
import { valuesOf } from '../support/outputs';
import { useShop } from '../support/useShop';

const createFiles = { resource: 'label', operation: 'create', shipments: 'notPrinted' };
const print = {
	...{ resource: 'label', operation: 'sendToPrinter', labels: 'notPrinted' },
	printerName: '={{ $json.printer }}',
};

describe.each(dialectNames)('With All Not Printed (%s dialect)', (dialect) => {
	const shop = useShop({ dialect });
	const run = async (parameters: typeof createFiles | typeof print) =>
		shop.create([{ printer: 'Warehouse A4' }, { printer: 'Warehouse Zebra' }], {}, { parameters });
	beforeEach(() => {
		shop.sandbox.seedShipments(2, { pieceCount: 2 });
		shop.sandbox.seedShipments(1, { serviceType: 'CRANE-EU' });
	});

	test('every label that was not printed is printed once, on the printer of the first item', async () => {
		const { items, errorItems } = await run(print);
		expect(errorItems).toEqual([]);
		expect(valuesOf(items, 'labelsCount').sort()).toEqual([1, 4]);
		expect(valuesOf(items, 'printerName')).toEqual(['Warehouse A4', 'Warehouse A4']);
		const again = await run(print);
		expect(new Set(valuesOf(again.items, 'message'))).toEqual(new Set(['Nothing to print']));
		expect(shop.sandbox.database.printJobs()).toHaveLength(2);
	});

	test('label files are one per carrier, and do not come again', async () => {
		expect(valuesOf((await run(createFiles)).items, 'labelsCount').sort()).toEqual([1, 4]);
		expect(new Set(valuesOf((await run(createFiles)).items, 'labelsCount'))).toEqual(new Set([0]));
	});
});
