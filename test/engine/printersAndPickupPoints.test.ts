import type { INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../support/credentials';
import { type Engine, startEngine } from '../support/engine';
import { announcedFields } from '../support/outputs';

import { dialectNames, type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

const printers: INodeParameters = { resource: 'printer', operation: 'getAll', returnAll: true };
const pickupPoints: INodeParameters = {
	resource: 'pickupPoint',
	operation: 'getAll',
	carrierCode: 'ANT',
	returnAll: true,
};

const run = async (parameters: INodeParameters, items: object[] = [{}]) =>
	engine.run({ parameters, items: items as never, onError: 'continueErrorOutput' });

describe.each(dialectNames)('At a service in the %s dialect', (dialect) => {
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect });
		engine = await startEngine(sandboxCredential(sandbox.url));
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	test('printers are listed with system name, display name and status', async () => {
		const { items } = await run(printers);
		expect(items.map(({ json }) => [json.printerName, json.name])).toEqual([
			['Warehouse A4', 'Laser by the gate'],
			['Warehouse Zebra', 'Label printer by the gate'],
			['Attic', 'Old printer upstairs'],
			['Front Desk', 'Reception'],
		]);
		const fields = Object.keys(items[0]?.json ?? {}).sort();
		expect(fields).toEqual(announcedFields('printer/getAll'));
	});

	test('printers are requested once for all items, up to the limit', async () => {
		const { items } = await run({ ...printers, returnAll: false, limit: 1 }, [{}, {}]);
		expect(items).toHaveLength(2);
		expect(sandbox.requests).toHaveLength(1);
	});

	test.each([
		[{}, ['P-001', 'P-002', 'P-101']],
		[{ country: 'sk' }, ['P-101']],
		[{ name: 'Praha' }, ['P-002']],
		[{ serviceType: 'ANT-HOME' }, []],
		[{ branchType: 'Branch', serviceType: 'ANT-POINT' }, ['P-001', 'P-002', 'P-101']],
	])('pickup points are found by %j', async (filters, codes) => {
		const { items, errorItems } = await run({ ...pickupPoints, filters });
		expect(errorItems).toEqual([]);
		expect(items.map(({ json }) => json.code)).toEqual(codes);
	});

	test('pickup points have few fields, or all of them without Simplify', async () => {
		const { items } = await run({ ...pickupPoints, returnAll: false, limit: 1 });
		const fields = Object.keys(items[0]?.json ?? {}).sort();
		expect(fields).toEqual(announcedFields('pickupPoint/getAll'));
		expect(items[0]?.json).toMatchObject({ code: 'P-001', zip: '60200' });
		const raw = await run({ ...pickupPoints, simplify: false });
		expect(raw.items[2]?.json).toMatchObject({ openingMonday: '09:00 - 17:00', zip: '01001' });
	});
});

test.each([
	['interface', 404],
	['documented', 405],
] as const)(
	'at a service in the %s dialect without these lists, the items say so',
	async (dialect, status) => {
		sandbox = await startSandbox({ dialect, withoutExtras: true });
		engine = await startEngine(sandboxCredential(sandbox.url));
		const failed = [await run(printers), await run(pickupPoints)];
		await sandbox.close();
		expect(failed.map(({ errorItems }) => errorItems[0]?.json.error)).toEqual([
			`This service does not offer: List printers (${status})`,
			`This service does not offer: List pickup points (${status})`,
		]);
	},
);
