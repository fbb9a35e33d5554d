// The important stories of a shop, at a service like the interface document and at one like a
// service's public guide. The other tests go into detail, mostly at the former.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type DialectName, dialectNames, type Sandbox, startSandbox } from '../../sandbox';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { sandboxCredential } from '../support/credentials';
import { type Engine, startEngine } from '../support/engine';
import { creationForm, orderItem, orderOf } from '../support/shop';
import { codesOf, setStage } from '../support/triggerStage';

/** The documented service signs in with a language, and its token has a header of its own. */
function credentialOf(dialect: DialectName, url: string): ParcelShippingCredential {
	if (dialect === 'interface') return sandboxCredential(url);
	const signIn = sandboxCredential(url, 'signIn');
	return { ...signIn, signInFields: '{ "language": "en" }', headerName: 'X-Auth-Token' };
}

describe.each(dialectNames)('At a service in the %s dialect', (dialect) => {
	let sandbox: Sandbox;
	let engine: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox({ dialect });
		engine = await startEngine(credentialOf(dialect, sandbox.url));
	});
	afterEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	const run = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
		engine.run({ parameters, items, onError: 'continueErrorOutput' });
	const creations = () =>
		sandbox.requests.filter(
			({ operationId, status }) => /^createShipments/.test(operationId ?? '') && status !== 405,
		);
	const orders = [
		orderOf('ANT', 'ORDER-1', { pieceCount: 2 }),
		orderOf('BEAVER', 'ORDER-2'),
		orderOf('CRANE', 'ORDER-3'),
	];

	test('orders become shipments, and a second run finds them and creates nothing', async () => {
		const first = await run(creationForm(), orders);
		expect(first.errorItems).toEqual([]);
		const ids = first.items.map(({ json }) => [json.id, json.pieceIndex]);
		const sent = creations().length;
		// A carrier may give its number later.
		for (const { id } of sandbox.database.shipments()) sandbox.withholdNumber(id);

		const second = await run(creationForm(), orders);
		expect(second.errorItems).toEqual([]);
		expect(second.items.map(({ json }) => [json.id, json.pieceIndex])).toEqual(ids);
		expect(second.items.every(({ json }) => json.alreadyExisted)).toBe(true);
		expect(creations()).toHaveLength(sent);
		expect(sandbox.database.shipments()).toHaveLength(4);
	});

	test('a refused order fails with the reason of the carrier, and the others are created', async () => {
		const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
		const { items, errorItems } = await run(creationForm(), [
			orderItem('ORDER-1'),
			orderItem('ORDER-2', bad),
			orderItem('ORDER-3'),
		]);
		expect(items.map(({ json }) => json.packageNumberCustom)).toEqual(['ORDER-1', 'ORDER-3']);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]?.json.error).toContain('Unknown pickup point');
		expect(errorItems[0]?.json.error).not.toMatch(/[{[]/);
		expect(creations()).toHaveLength(1);
	});

	test('a label that cannot be created or printed says why', async () => {
		const [shipment] = sandbox.seedShipments(1, { serviceType: 'BEAVER-PARCEL' });
		const print = { resource: 'label', operation: 'print', shipmentIds: shipment?.id ?? 0 };
		const send = { ...print, operation: 'sendToPrinter', labels: 'shipments' };
		for (const [refused, reason] of [
			[{ ...send, printerName: 'Laser by the gate' }, 'Laser by the gate'],
			[{ ...send, printerName: 'Attic' }, 'cannot be reached'],
			[{ ...print, format: 'zpl' }, 'does not offer ZPL labels'],
		] as const) {
			expect(JSON.stringify((await run(refused)).errorItems)).toContain(reason);
		}
		const { items } = await run({ ...send, printerName: 'Warehouse A4' });
		expect(items[0]?.json).toMatchObject({ printed: true });
	});

	test('a carrier that waits for its activation is listed as inactive', async () => {
		sandbox.setCarrierStatus('OWL', 'WaitingActivation');
		const status = { filters: { status: 'Inactive' } };
		const { items } = await run({ resource: 'carrier', operation: 'getAll', ...status });
		expect(items.map(({ json }) => json.code)).toEqual(['OWL']);
	});

	describe('the trigger', () => {
		const stage = setStage({ dialect });
		const addEvent = (number: string | undefined, code: string) =>
			stage.sandbox.addEvent(number ?? '', { code });

		test('emits each new event once, however its date is written', async () => {
			const [shipment] = stage.sandbox.seedShipments(3, { hoursAgo: 10, pieceCount: 2 });
			const host = await stage.newHost('default');
			await host.publish({});
			for (const code of ['701', '702', '703', '704']) {
				await stage.poll(host);
				addEvent(shipment?.packageNumberCarrier, code);
				await stage.poll(host);
				await stage.poll(host);
			}
			expect(codesOf(host)).toEqual(['701', '702', '703', '704']);
			expect(host.failures).toEqual([]);
		});

		test('emits all events of a shipment that gets its number later, and of every piece', async () => {
			const host = await stage.newHost('default');
			await host.publish({});
			const pieces = stage.sandbox.seedShipments(1, { serviceType: 'CRANE-EU', pieceCount: 2 });
			for (const { id } of pieces) stage.sandbox.withholdNumber(id);
			await stage.poll(host);
			for (const { id } of pieces) stage.sandbox.withholdNumber(id, false);
			for (let minutes = 0; minutes < 3; minutes++) await stage.poll(host, 11);
			expect(codesOf(host)).toEqual(['100', '100']);
		});
	});
});

test.each(['package', 'carrier'] as const)(
	'At a service that creates at the %s address only, orders become shipments once',
	async (createAddress) => {
		const sandbox = await startSandbox({ dialect: 'documented', createAddress });
		const engine = await startEngine(credentialOf('documented', sandbox.url));
		const items = [orderOf('ANT', 'ORDER-1'), orderOf('BEAVER', 'ORDER-2')];
		const run = await engine.run({ parameters: creationForm(), items });
		await sandbox.close();
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(2);
		expect(sandbox.database.shipments()).toHaveLength(2);
	},
);
