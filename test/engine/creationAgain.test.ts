import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import type { IDataObject } from 'n8n-workflow';

import { creationForm, orderItem, orderOf } from '../support/shop';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe('The same workflow runs again tomorrow', () => {
	async function runTwice(options = {}, between = () => {}) {
		const orders = [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')];
		const first = await engine.run({ parameters: creationForm(), items: orders });
		sandbox.advance(24);
		between();
		const second = await engine.run({
			parameters: creationForm(options),
			items: orders,
			onError: 'continueErrorOutput',
		});
		return { first, second };
	}
	const idsOf = (items: Array<{ json: object }>) =>
		items.map(({ json }) => (json as { id: number }).id);

	test.each(['rich', 'documented'] as const)(
		'and gets all pieces of the existing shipments (%s list)',
		async (listRecords) => {
			const other = await startSandbox({ listRecords });
			const otherEngine = await startEngine(sandboxCredential(other.url));
			const orders = [orderItem('A-1', { pieceCount: 2 }), orderItem('A-2')];
			const run = { parameters: creationForm(), items: orders };
			const first = await otherEngine.run(run);
			other.advance(24);
			const second = await otherEngine.run(run);
			await other.close();

			expect(idsOf(second.items)).toEqual(idsOf(first.items));
			expect(second.items.map(({ json }) => [json.alreadyExisted, json.pieceIndex])).toEqual([
				[true, 0],
				[true, 1],
				[true, 0],
			]);
			const numbers = (items: typeof first.items) =>
				items.map(({ json }) => [json.packageNumberCarrier, json.trackingUrl, json.serviceType]);
			expect(numbers(second.items)).toEqual(numbers(first.items));
			expect(other.database.shipments()).toHaveLength(3);
			expect(second.hints[0]).toContain('2 shipments already existed');
		},
	);

	test('but a canceled shipment does not count', async () => {
		const { second } = await runTwice({}, () => sandbox.cancelShipment(1001));
		expect(second.items.map(({ json }) => [json.id, json.alreadyExisted])).toEqual([
			[1004, false],
			[1005, false],
			[1003, true],
		]);
	});

	test('but a shipment older than the look-back does not count', async () => {
		sandbox.seedShipments(1, {
			packageNumberCustom: 'A-1',
			recZip: '01001',
			hoursAgo: 24 * 9,
		});
		const look = async (lookbackDays: number) => {
			const run = { parameters: creationForm({ lookbackDays, dryRun: true }) };
			const { items } = await engine.run({ ...run, items: [orderItem('A-1')] });
			return items[0]?.json.wouldDo;
		};
		expect([await look(10), await look(5)]).toEqual(['reuse', 'create']);
	});

	describe('with an order that was corrected in between', () => {
		const corrected = { cod: true, codPrice: 1290, codCurrency: 'CZK' };
		const runAgain = async (options: IDataObject) => {
			await engine.run({ parameters: creationForm(), items: [orderItem('A-1')] });
			return await engine.run({
				parameters: creationForm(options),
				items: [orderItem('A-1', corrected)],
				onError: 'continueErrorOutput',
			});
		};

		test('fails the order and names what the existing shipment lacks', async () => {
			const { items, errorItems } = await runAgain({});
			expect(items).toEqual([]);
			expect(errorItems[0]?.json).toMatchObject({
				error:
					'A shipment with Custom Shipment Number "A-1" already exists, but without Cash on Delivery 1290 CZK',
				message: expect.stringContaining('cancel that shipment at the service'),
				details: { shipmentIds: [1001], carrierCode: 'ANT' },
			});
			expect(sandbox.database.shipments()).toHaveLength(1);
		});

		test('outputs the existing shipment with the differences under Use the Existing One', async () => {
			const { items, hints } = await runAgain({ ifDiffers: 'reuse' });
			expect(items[0]?.json).toMatchObject({
				id: 1001,
				alreadyExisted: true,
				differences: [{ field: 'cod', ordered: '1290 CZK', existing: null }],
			});
			expect(hints).toContain(
				'1 existing shipment differs from the order. See differences in the output.',
			);
		});
	});

	test('with another carrier ships nothing again', async () => {
		await engine.run({ parameters: creationForm(), items: [orderOf('ANT', 'A-1')] });
		const { errorItems } = await engine.run({
			parameters: creationForm(),
			items: [orderOf('CRANE', 'A-1')],
			onError: 'continueErrorOutput',
		});
		expect(errorItems[0]?.json.error).toContain('with Carrier ANT instead of CRANE');
		expect(sandbox.database.shipments()).toHaveLength(1);
		const reused = await engine.run({
			parameters: creationForm({ ifDiffers: 'reuse' }),
			items: [orderOf('CRANE', 'A-1')],
		});
		expect(reused.items[0]?.json).toMatchObject({
			id: 1001,
			carrierCode: 'ANT',
			serviceType: 'ANT-HOME',
		});
	});

	test('within its carrier, and the service lists other carriers as well', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'A-1' });
		const rewrite = (answer: unknown) =>
			JSON.parse(JSON.stringify(answer).replaceAll('"ANT"', '"CRANE"'));
		sandbox.fault({ operation: 'findShipments', kind: 'body', times: Infinity, rewrite });
		const { items } = await engine.run({
			parameters: creationForm({ lookUpScope: 'sameCarrier' }),
			items: [orderItem('A-1')],
		});
		expect(items[0]?.json).toMatchObject({ id: 1002, alreadyExisted: false });
	});

	test('and fails the orders under Fail the Item, naming the existing shipments', async () => {
		const { second } = await runTwice({ ifExists: 'fail' });
		expect(second.items).toEqual([]);
		expect(second.errorItems.map(({ json }) => json.error)).toEqual([
			'A shipment with Custom Shipment Number "A-1" already exists at ANT (ID 1001, 1002)',
			'A shipment with Custom Shipment Number "A-2" already exists at ANT (ID 1003)',
		]);
	});

	test('a number that is only a part of another one is not the same', async () => {
		sandbox.seedShipments(1, { packageNumberCustom: 'A-11' });
		const { items } = await engine.run({ parameters: creationForm(), items: [orderItem('A-1')] });
		expect(items[0]?.json.alreadyExisted).toBe(false);
	});
});
