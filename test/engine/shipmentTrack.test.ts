import { startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';
import type { RunSettings } from '../support/engine';
import { announcedFields, jsonOf, keysOf, linksOf, valuesOf } from '../support/outputs';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { dialectNames, startSandbox } from '../../sandbox';

const shop = useShop();

const track = {
	resource: 'shipment',
	operation: 'track',
	shipments: 'numbers',
	packageNumber: '={{ $json.number }}',
};
const onError = 'continueErrorOutput';
const STOP = 'stopWorkflow';

/** Failed items leave through the error output, unless `handling` says otherwise. */
const run = async (
	items: IDataObject[],
	handling: NonNullable<RunSettings['onError']> = onError,
	parameters: INodeParameters = track,
) => shop.engine.run({ parameters, items, onError: handling });

const numbersOf = (items: Array<{ json: IDataObject }>) =>
	items.map(({ json }) => json.packageNumberCarrier);
const seedNumbers = (count: number, serviceType = 'ANT-HOME') =>
	shop.sandbox
		.seedShipments(count, { serviceType })
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
/** The item says the carrier of its number, as those of the other operations do. */
const ofAnt = (number: unknown) => ({ carrierCode: 'ANT', number: number as string });
const allEvents = { ...track, output: 'all' };

test.each(dialectNames)('Track says where a shipment is (%s dialect)', async (dialect) => {
	const provider = await startSandbox({ dialect });
	const other = await startEngine(sandboxCredential(provider.url));
	const [{ packageNumberCarrier } = { packageNumberCarrier: '' }] = provider.seedShipments(1, {
		hoursAgo: 24,
	});
	const items = [ofAnt(packageNumberCarrier), ofAnt('UNKNOWN')];
	const { items: latest, errorItems } = await other.run({ parameters: track, items, onError });
	const all = await other.run({ parameters: allEvents, items, onError });
	await provider.close();
	expect(packageNumberCarrier).toMatch(/^00/);
	expect(jsonOf(latest)).toMatchObject([
		{
			status: expect.stringMatching(/^The shipment is .*: .* \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/),
			...{ code: '330', packageNumberCarrier, carrierCode: 'ANT' },
		},
	]);
	expect(Object.keys(latest[0]?.json ?? {}).slice(0, 2)).toEqual(['status', 'date']);
	expect(keysOf(latest)).toEqual(announcedFields('shipment/track'));
	expect(linksOf(errorItems)).toEqual([1]);
	expect(all.items[0]?.json.events).toMatchObject([
		{ code: '330', isFirstOfGroup: false, isLatest: true },
		{ code: '320', isFirstOfGroup: true, isLatest: false },
		{ code: '310', isFirstOfGroup: true, isLatest: false },
		{ code: '200', isFirstOfGroup: false, isLatest: false },
		{ code: '100', isFirstOfGroup: true, isLatest: false },
	]);
});

test('All Events has the fields of each event', async () => {
	const [number = ''] = seedNumbers(1);
	const event = { name: 'Hledá se adresát', item: null };
	shop.sandbox.addEvent(number, { carrierCode: 'X-7', ...event });
	const { items } = await run([ofAnt(number)], STOP, allEvents);
	const fields = { ...event, eventCarrierCode: 'X-7', eventGroup: 'inTransit' };
	expect(jsonOf(items)).toMatchObject([{ ...fields, carrierCode: 'ANT', events: [fields, {}] }]);
});

test('A number or an ID is enough, and the records say its carrier', async () => {
	const [shipment] = shop.sandbox.seedShipments(1, { pieceCount: 2, packageNumberCustom: 'O-2' });
	const { packageNumberCarrier: number = '', id = 0 } = shipment ?? {};
	const byNumber = await run([{ number }, { number: 'UNKNOWN' }]);
	const found = { packageNumberCarrier: number, carrierCode: 'ANT', packageNumberCustom: 'O-2' };
	expect(jsonOf(byNumber.items)).toMatchObject([found]);
	expect(valuesOf(byNumber.errorItems, 'error')).toEqual([
		'No shipment of any carrier has the tracking number UNKNOWN',
	]);
	const ids = { ...track, shipments: 'ids', shipmentIds: '={{ $json.id }}' };
	expect((await run([{ id }], STOP, ids)).items).toHaveLength(2);
	for (const operation of ['get', 'track']) {
		const { errorItems } = await run([{ id: 999 }], onError, { ...ids, operation });
		expect(valuesOf(errorItems, 'error')).toEqual(['No shipment of any carrier has ID 999']);
	}
	const get = { ...track, operation: 'get' };
	expect((await run([{ number }], STOP, get)).items).toHaveLength(2);
});

test('A shipment without events says so', async () => {
	const [number = ''] = seedNumbers(1);
	const rewrite = ({ result }: { result: IDataObject[] }) => ({
		result: result.map((row) => ({ ...row, events: [] })),
	});
	shop.fault('trackShipments', { kind: 'body', rewrite: rewrite as never });
	const { items } = await run([ofAnt(number)], STOP);
	expect(jsonOf(items)).toMatchObject([
		{ status: 'The carrier has not reported anything yet', date: null },
	]);
});

test('A planned delivery does not make the latest event an older one', async () => {
	const [number = ''] = seedNumbers(1);
	const dateIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
	shop.sandbox.addEvent(number, { code: '701', date: dateIn(6) });
	shop.sandbox.addEvent(number, { code: '702', date: dateIn(30) });
	const { items } = await run([ofAnt(number)], STOP, allEvents);
	const [{ code, events } = {}] = jsonOf(items);
	expect(code).toBe('701');
	const added = (events as IDataObject[]).slice(0, 2);
	expect(added).toMatchObject([
		{ code: '702', isLatest: true },
		{ code: '701', isLatest: true },
	]);
});

test('Track by order number says which pieces have no tracking number yet', async () => {
	const ofOrder = { ...track, shipments: 'orderNumbers', orderNumber: 'O-1' };
	const [first, second] = shop.sandbox.seedShipments(1, {
		...{ packageNumberCustom: 'O-1', pieceCount: 2 },
	});
	shop.sandbox.withholdNumber(second?.id ?? 0);
	const { items } = await run([{}], onError, ofOrder);
	expect(numbersOf(items)).toEqual([first?.packageNumberCarrier, null]);
	const status = 'The carrier has not assigned a tracking number yet';
	expect(items[1]?.json).toMatchObject({ status, packageNumberCustom: 'O-1' });
});

describe('Shipments that cannot be tracked', () => {
	const messages = [
		'The provider said: Carrier ANT has no shipment 0000',
		'Tracking Number is empty',
		'Tracking Number is the number 12345678901234567000, which has lost digits',
		'No shipment of any carrier has the tracking number 1',
	];
	const mixed = () => {
		const [first, second] = seedNumbers(2);
		const bad = ['0000', '', Number('12345678901234567000')].map(ofAnt);
		return [ofAnt(first), ...bad, { number: '1' }, ofAnt(second)];
	};

	test('stay in input order with Continue, or go to the error output', async () => {
		const input = mixed();
		const { items } = await run(input, 'continueRegularOutput');
		const outcomes = items.map(({ json }) => json.packageNumberCarrier ?? json.error);
		expect(outcomes).toEqual([input[0]?.number, ...messages, input[5]?.number]);
		expect(linksOf(items)).toEqual([...input.keys()]);
		expect(items[1]?.json.details).toEqual({
			...{ packageNumberCarrier: '0000', carrierCode: 'ANT', statusCode: 404 },
			serviceMessage: 'Carrier ANT has no shipment 0000',
			correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
		const branched = await run(input);
		expect([linksOf(branched.items), linksOf(branched.errorItems)]).toEqual([
			[0, 5],
			[1, 2, 3, 4],
		]);
		expect(valuesOf(branched.errorItems, 'error')).toEqual(messages);
	});

	test('with the same error are named by the error of the run, unless it is that of all items', async () => {
		const messageOf = async (...numbers: string[]) =>
			(await run(numbers.map(ofAnt), STOP)).error?.message;
		expect(await messageOf('', '1', '')).toBe('Item 0, 2: Tracking Number is empty');
		expect(await messageOf('', '')).toBe('Tracking Number is empty');
	});
});

// n8n 3 has no `$getPairedItem`. Its engine looks up the input of a failed item in the same way as before.
describe.each(['n8n 2', 'n8n 3'])('The error output in %s', (version) => {
	const startIt = async () =>
		startEngine(shop.engine.credential.data, {}, undefined, version === 'n8n 3');

	test('has the fields of the order and the details of the error', async () => {
		const order = { ...ofAnt('UNKNOWN'), order: '1001', customer: 'Jana' };
		const items = [ofAnt(seedNumbers(1)[0]), order];
		const { errorItems } = await (await startIt()).run({ parameters: track, items, onError });
		const error = 'The provider said: Carrier ANT has no shipment UNKNOWN';
		const details = { packageNumberCarrier: 'UNKNOWN', statusCode: 404 };
		const message = expect.stringContaining('Check');
		expect(jsonOf(errorItems)).toMatchObject([{ ...order, error, message, details }]);
		expect(linksOf(errorItems)).toEqual([1]);
	});

	test('has a failed item although n8n cannot look up its input', async () => {
		const engine = await startIt();
		const items = [ofAnt('UNKNOWN'), ofAnt(seedNumbers(1)[0])];
		const failed = await run(items, STOP);
		// As n8n saves it if the previous node has fewer outputs than the source of the data names.
		for (const next of failed.saved.executionData?.nodeExecutionStack ?? []) {
			next.node.onError = onError;
			for (const source of next.source?.main ?? [])
				Object.assign(source ?? {}, { previousNodeOutput: 1 });
		}
		const { items: tracked, errorItems } = await engine.run({
			parameters: track,
			onError,
			retryOf: failed,
		});
		expect(numbersOf(tracked)).toEqual([items[1]?.number]);
		expect(errorItems).toMatchObject([
			{ json: { error: expect.stringContaining('has no shipment UNKNOWN') }, pairedItem: 0 },
		]);
		const { error, message, details } = errorItems[0]?.json ?? {};
		if (version === 'n8n 2') expect(error).toContain('has no shipment UNKNOWN. Check');
		else expect([message, details]).toEqual([expect.stringContaining('Check'), expect.anything()]);
	});
});
