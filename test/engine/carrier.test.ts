import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { announcedFields, linksOf } from '../support/outputs';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const getMany = { resource: 'carrier', operation: 'getAll', returnAll: true };
const getServices = {
	resource: 'carrier',
	operation: 'getServices',
	carrierCode: '={{ $json.carrier }}',
};

const codesOf = (items: Array<{ json: { code?: unknown } }>) => items.map(({ json }) => json.code);
const asked = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation).length;

describe('Get many carriers', () => {
	test('lists all of them, active or not, as the service has them', async () => {
		const { items } = await engine.run({ parameters: getMany });
		expect(items.map(({ json }) => json)).toEqual(sandbox.database.carriers());
		expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields('carrier/getAll'));
	});

	test('lists only those that are active', async () => {
		const parameters = { ...getMany, filters: { status: 'Inactive' } };
		const { items } = await engine.run({ parameters });
		expect(codesOf(items)).toEqual(['OWL']);
	});

	test('stops at the limit', async () => {
		const { items } = await engine.run({ parameters: { ...getMany, returnAll: false, limit: 2 } });
		expect(codesOf(items)).toEqual(['ANT', 'BEAVER']);
	});

	test('three items that ask the same thing cause one request, and each gets its answer', async () => {
		const parameters = { ...getMany, returnAll: false, limit: 1 };
		const { items } = await engine.run({ parameters, items: [{}, {}, {}] });
		expect(linksOf(items)).toEqual([0, 1, 2]);
		expect(asked('findCarriers')).toBe(1);
	});
});

describe('Get the services of a carrier', () => {
	test('gives one item per service, linked to the item that named the carrier', async () => {
		const input = [{ carrier: 'BEAVER' }, { carrier: 'SNAIL' }, { carrier: 'BEAVER' }];
		const { items } = await engine.run({ parameters: getServices, items: input });
		expect(codesOf(items)).toEqual([
			'BEAVER-PARCEL',
			'BEAVER-LETTER',
			'SNAIL-PALLET',
			'BEAVER-PARCEL',
			'BEAVER-LETTER',
		]);
		expect(linksOf(items)).toEqual([0, 0, 1, 2, 2]);
		expect(asked('findServices')).toBe(2);
	});

	test('tells which addresses a service accepts', async () => {
		const { items } = await engine.run({ parameters: getServices, items: [{ carrier: 'BEAVER' }] });
		expect(items[1]?.json).toEqual({
			code: 'BEAVER-LETTER',
			name: 'Beaver registered letter',
			coverAddressEnabled: true,
			senderAddressEnabled: false,
		});
		expect(Object.keys(items[1]?.json ?? {}).sort()).toEqual(
			announcedFields('carrier/getServices'),
		);
	});

	test('a carrier chosen from the list and one entered as plain text work alike', async () => {
		const chosen = { mode: 'list', value: 'SNAIL', __rl: true, cachedResultName: 'Snail Freight' };
		for (const carrierCode of [chosen, 'SNAIL']) {
			const { items } = await engine.run({ parameters: { ...getServices, carrierCode } });
			expect(codesOf(items)).toEqual(['SNAIL-PALLET']);
		}
	});

	const mixed = [{ carrier: 'SNAIL' }, { carrier: 'NOBODY' }, { carrier: '' }, { carrier: 'DODO' }];

	test('an unknown carrier stops the run in the words of the service', async () => {
		const { error } = await engine.run({ parameters: getServices, items: mixed });
		expect(error?.message).toBe('The service said: There is no carrier "NOBODY"');
		expect(error?.context).toMatchObject({ itemIndex: 1 });
	});

	test('with Continue, the items that cannot be answered say why, in their places', async () => {
		const { items } = await engine.run({
			parameters: getServices,
			items: mixed,
			onError: 'continueRegularOutput',
		});
		expect(linksOf(items)).toEqual([0, 1, 2, 3]);
		expect(codesOf(items)).toEqual(['SNAIL-PALLET', undefined, undefined, 'DODO-DAY']);
		expect(items[1]?.json.error).toBe('The service said: There is no carrier "NOBODY"');
		expect(items[1]?.json.details).toMatchObject({ statusCode: 404 });
		expect(items[2]?.json.error).toBe('Carrier is empty');
	});

	test('with the error output, they go there and the others go on', async () => {
		const { items, errorItems } = await engine.run({
			parameters: getServices,
			items: mixed,
			onError: 'continueErrorOutput',
		});
		expect(codesOf(items)).toEqual(['SNAIL-PALLET', 'DODO-DAY']);
		expect(linksOf(items)).toEqual([0, 3]);
		expect(linksOf(errorItems)).toEqual([1, 2]);
	});

	test('a carrier without services gives no item', async () => {
		sandbox.fault({ operation: 'findServices', kind: 'body', rewrite: noRows });
		const { items, error } = await engine.run({
			parameters: getServices,
			items: [{ carrier: 'SNAIL' }],
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});
});

const noRows = (answer: object) => ({ ...answer, result: [] });
