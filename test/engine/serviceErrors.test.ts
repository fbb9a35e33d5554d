// What a creation comes to if the service sends an error with its response, or instead of it.
import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { linksOf } from '../support/outputs';
import { creationForm, orderItem } from '../support/shop';

import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox();
	engine = await startEngine(sandboxCredential(sandbox.url));
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

type Rows = IDataObject[];

/** Changes the correct response after the service has carried out the request. */
const rewrite = (status: number, change: (rows: Rows) => unknown) =>
	sandbox.fault({
		operation: 'createShipments',
		kind: 'body',
		status,
		rewrite: (({ result }: { result: Rows }) => change(result)) as never,
	});
const respond = (status: number, body: unknown) =>
	sandbox.fault({ operation: 'createShipments', kind: 'status', status, body });
const create = async (items: IDataObject[]) =>
	engine.run({
		parameters: creationForm({ maxRetryWait: 50 }),
		items,
		onError: 'continueErrorOutput',
	});

const errors = [{ errorCode: 7, message: 'The account is locked', reference: '16948' }];
const SAID = 'The service said: The account is locked (16948)';

describe('Created shipments are in the output although the service responds with', () => {
	const both = [
		['A-1', true],
		['A-2', true],
	];
	test.each<[string, number, (rows: Rows) => unknown, unknown[][]]>([
		...[400, 404, 422, 500].map(
			(status): [string, number, (rows: Rows) => unknown, unknown[][]] => [
				`${status} and their rows`,
				status,
				(result) => ({ result, errors }),
				[
					['A-1', false],
					['A-2', false],
				],
			],
		),
		[
			'400 and one of their rows',
			400,
			(rows) => ({ result: rows.slice(1) }),
			[
				['A-1', true],
				['A-2', false],
			],
		],
		['400 and unreadable rows', 400, (rows) => ({ result: rows.map(({ id }) => id) }), both],
		['200 and an empty list', 200, () => ({ result: [], errors }), both],
		['200 and no result', 200, () => ({ result: null, errors }), both],
	])('%s', async (_, status, change, created) => {
		rewrite(status, change);
		const { items, errorItems } = await create([orderItem('A-1'), orderItem('A-2')]);
		expect(errorItems).toEqual([]);
		expect(items.map(({ json }) => [json.packageNumberCustom, json.recovered])).toEqual(created);
	});
});

test('A refused row beside a created one fails alone, with the words of the carrier', async () => {
	rewrite(400, (result) => ({ result, errors }));
	const bad = { serviceType: 'ANT-POINT', branchId: 'NOWHERE' };
	const { items, errorItems } = await create([orderItem('A-1'), orderItem('A-2', bad)]);
	expect([linksOf(items), linksOf(errorItems)]).toEqual([[0], [1]]);
	expect(errorItems[0]?.json.error).toBe('Unknown pickup point "NOWHERE"');
});

describe('Without rows, and if the records have no shipment,', () => {
	test.each<[string, number, unknown, string, string]>([
		['400 is a refusal', 400, { result: null, errors }, SAID, 'Correct the values'],
		['400 with a list is a refusal', 400, { result: [], errors }, SAID, 'Correct the values'],
		['200 is unclear', 200, { result: null, errors }, 'Could not confirm', `${SAID}. Searched`],
		['200 with a list is unclear', 200, { result: [], errors }, 'Could not confirm', `${SAID}.`],
		[
			'500 is unclear, and the error names it',
			500,
			{ errors },
			'Could not confirm whether ANT created',
			`It was sent once. The service could not complete the request (500). ${SAID}. Searched`,
		],
	])('%s', async (_, status, body, error, advice) => {
		respond(status, body);
		const { items, errorItems, hints } = await create([orderItem('A-1')]);
		expect(items).toEqual([]);
		expect(errorItems[0]?.json.error).toContain(error);
		expect(errorItems[0]?.json.message).toContain(advice);
		expect(hints.filter((hint) => hint.includes(SAID))).toEqual([]);
	});
});

test.each([
	['What the service says beside a result is a hint', errors, [`Create shipments: ${SAID}`]],
	['An empty list of errors is no hint', [], []],
])('%s', async (_, beside, expected) => {
	rewrite(200, (result) => ({ result, errors: beside }));
	const { items, hints } = await create([orderItem('A-1')]);
	expect(items).toHaveLength(1);
	expect(hints).toEqual(expected);
});
