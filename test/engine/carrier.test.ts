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
const requestCount = (operation: string) =>
	sandbox.requests.filter(({ operationId }) => operationId === operation).length;

describe('Get many carriers', () => {
	test('returns all carriers, active and inactive, as the service has them', async () => {
		const { items } = await engine.run({ parameters: getMany });
		expect(items.map(({ json }) => json)).toEqual(sandbox.database.carriers());
		expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(announcedFields('carrier/getAll'));
	});

	test('returns only carriers with the chosen status', async () => {
		const parameters = { ...getMany, filters: { status: 'Inactive' } };
		const { items } = await engine.run({ parameters });
		expect(codesOf(items)).toEqual(['OWL']);
	});

	test('returns no more than the limit', async () => {
		const { items } = await engine.run({ parameters: { ...getMany, returnAll: false, limit: 2 } });
		expect(codesOf(items)).toEqual(['ANT', 'BEAVER']);
	});

	test('sends one request for three items and returns the carriers for each', async () => {
		const parameters = { ...getMany, returnAll: false, limit: 1 };
		const { items } = await engine.run({ parameters, items: [{}, {}, {}] });
		expect(linksOf(items)).toEqual([0, 1, 2]);
		expect(requestCount('findCarriers')).toBe(1);
	});
});

describe('Get the services of a carrier', () => {
	test('returns one item per service, linked to the item with the carrier', async () => {
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
		expect(requestCount('findServices')).toBe(2);
	});

	test('returns which addresses a service accepts', async () => {
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

	test('accepts a carrier from the list and a carrier as plain text', async () => {
		const chosen = { mode: 'list', value: 'SNAIL', __rl: true, cachedResultName: 'Snail Freight' };
		for (const carrierCode of [chosen, 'SNAIL']) {
			const { items } = await engine.run({ parameters: { ...getServices, carrierCode } });
			expect(codesOf(items)).toEqual(['SNAIL-PALLET']);
		}
	});

	const mixed = [{ carrier: 'SNAIL' }, { carrier: 'NOBODY' }, { carrier: '' }, { carrier: 'DODO' }];

	test('stops on an unknown carrier with the message of the service', async () => {
		const { error } = await engine.run({ parameters: getServices, items: mixed });
		expect(error?.message).toBe('The service said: There is no carrier "NOBODY"');
		expect(error?.context).toMatchObject({ itemIndex: 1 });
	});

	test('returns errors in input order with Continue', async () => {
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

	test('returns errors in the error output and the other results in the main output', async () => {
		const { items, errorItems } = await engine.run({
			parameters: getServices,
			items: mixed,
			onError: 'continueErrorOutput',
		});
		expect(codesOf(items)).toEqual(['SNAIL-PALLET', 'DODO-DAY']);
		expect(linksOf(items)).toEqual([0, 3]);
		expect(linksOf(errorItems)).toEqual([1, 2]);
	});

	test('returns no item for a carrier without services', async () => {
		sandbox.fault({ operation: 'findServices', kind: 'body', rewrite: noRows });
		const { items, error } = await engine.run({
			parameters: getServices,
			items: [{ carrier: 'SNAIL' }],
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});
});

const noRows = (response: object) => ({ ...response, result: [] });
