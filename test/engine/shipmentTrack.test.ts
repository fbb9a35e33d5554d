import { startEngine } from '../support/engine';
import { useShop } from '../support/useShop';
import { sandboxCredential } from '../support/credentials';
import type { RunSettings } from '../support/engine';
import { announcedFields, linksOf, valuesOf } from '../support/outputs';
import { refuseNumber } from '../support/refusedNumbers';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { dialectNames, startSandbox } from '../../sandbox';

const shop = useShop();

const track = {
	resource: 'shipment',
	operation: 'track',
	carrierCode: '={{ $json.carrier }}',
	packageNumber: '={{ $json.number }}',
};
const onError = 'continueErrorOutput';

/** Failed items leave through the error output, unless `handling` says otherwise. */
const run = async (
	items: IDataObject[],
	handling: NonNullable<RunSettings['onError']> = onError,
	parameters: INodeParameters = track,
) => shop.engine.run({ parameters, items, onError: handling });
const STOP = 'stopWorkflow';

const requests = () =>
	shop.sandbox.requests.filter(({ operationId }) => operationId === 'trackShipments');
const numbersOf = (items: Array<{ json: IDataObject }>) =>
	items.map(({ json }) => json.packageNumberCarrier);
const seedNumbers = (count: number, serviceType = 'ANT-HOME') =>
	shop.sandbox
		.seedShipments(count, { serviceType })
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
const ofAnt = (number: unknown) => ({ carrier: 'ANT', number: number as string });
const rewrite = (change: (row: object, index: number) => object) =>
	shop.fault('trackShipments', {
		kind: 'body',
		rewrite: ({ result }: { result: object[] }) => ({ result: result.map(change).reverse() }),
	});

test.each(dialectNames)('Track returns all events of a shipment (%s dialect)', async (dialect) => {
	const service = await startSandbox({ dialect });
	const other = await startEngine(sandboxCredential(service.url));
	const [{ packageNumberCarrier: number } = { packageNumberCarrier: '' }] =
		service.seedShipments(1);
	service.advance(24);
	const given = [ofAnt(number), ofAnt('UNKNOWN')];
	const { items, errorItems } = await other.run({ parameters: track, items: given, onError });
	await service.close();
	const json = items[0]?.json ?? {};
	expect(json).toMatchObject({ packageNumberCarrier: number, carrierCode: 'ANT' });
	expect(number).toMatch(/^00/);
	const codes = (json.events as IDataObject[]).map(({ code }) => code);
	expect(codes.join()).toBe('100,200,310,320,330');
	const flags = (json.events as IDataObject[]).map(({ isFirstOfGroup, isLatest }) => [
		isFirstOfGroup,
		isLatest,
	]);
	const [first, repeated] = [
		[true, false],
		[false, false],
	];
	expect(flags).toEqual([first, repeated, first, first, [false, true]]);
	expect(Object.keys(json).sort()).toEqual(announcedFields('shipment/track'));
	expect(linksOf(errorItems)).toEqual([1]);
});

test('250 items of two carriers take four requests, and each item gets its shipments', async () => {
	const [first = '', second = '', ...others] = seedNumbers(249);
	const [dodo = ''] = seedNumbers(1, 'DODO-DAY');
	const input = [`${first}, ${second}`, ...others, second].map(ofAnt);
	input.splice(100, 0, { carrier: 'DODO', number: dodo });
	rewrite((row) => row);
	const { items } = await run(input, STOP);
	const numbers = input.flatMap(({ number }) => number.split(', '));
	expect(numbersOf(items)).toEqual(numbers);
	expect(linksOf(items)).toEqual([0, ...input.map((_, index) => index)]);
	const asked = requests().map(
		({ path, body }) => `${path} ${(body as { packages: string[] }).packages.length}`,
	);
	const ant = [100, 100, 49].map((count) => `/api/ANT/Tracking ${count}`);
	expect(asked.sort()).toEqual([...ant, '/api/DODO/Tracking 1']);
});

test('A long number with leading zeros stays as it is', async () => {
	const number = '0012345678901234567890';
	rewrite((row) => ({ ...row, statusCode: 200 }));
	const { items } = await run([ofAnt(number)], STOP);
	expect(requests()[0]?.body).toEqual({ packages: [number] });
	expect(numbersOf(items)).toEqual([number]);
});

describe('One Item per Event', () => {
	const parameters = { ...track, output: 'events' };

	test('has the fields of the event, and the number and carrier of its shipment', async () => {
		const [number = ''] = seedNumbers(1);
		shop.sandbox.addEvent(number, { carrierCode: 'X-7', name: 'Hledá se adresát', item: null });
		const { items } = await run([ofAnt(number)], STOP, parameters);
		expect(items[1]?.json).toMatchObject({
			name: 'Hledá se adresát',
			item: null,
			eventCarrierCode: 'X-7',
			eventGroup: 'inTransit',
			carrierCode: 'ANT',
			packageNumberCarrier: number,
		});
		expect(linksOf(items)).toEqual([0, 0]);
	});

	test('has no item for a shipment without events or with null', async () => {
		const items = seedNumbers(2).map(ofAnt);
		rewrite((row, index) => ({ ...row, events: index === 0 ? [] : null }));
		const { items: output, error } = await run(items, STOP, parameters);
		expect([output, error]).toEqual([[], undefined]);
	});
});

describe('Shipments that cannot be tracked', () => {
	const messages = [
		'The service said: Carrier ANT has no shipment 0000',
		'Shipment Number is empty',
		'Shipment Number is the number 12345678901234567000, which has lost digits',
		'Carrier is empty',
	];
	const mixed = () => {
		const [first, second] = seedNumbers(2);
		const bad = ['0000', '', Number('12345678901234567000')].map(ofAnt);
		return [ofAnt(first), ...bad, { carrier: '', number: '1' }, ofAnt(second)];
	};

	test('stop the run, and the error names every invalid item before anything is sent', async () => {
		const { error } = await run(mixed(), STOP);
		expect(error?.message).toBe('Shipment Number is empty');
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect(error?.description).toContain('Item 3: Shipment Number is the number');
		expect(error?.description).toContain('Item 4: Carrier is empty');
		expect(requests()).toEqual([]);
		const refused = await run(mixed().slice(0, 2), STOP);
		expect([refused.error?.message, refused.error?.context?.itemIndex]).toEqual([messages[0], 1]);
	});

	test('stay in input order with Continue, or go to the error output', async () => {
		const input = mixed();
		const { items } = await run(input, 'continueRegularOutput');
		const outcomes = items.map(({ json }) => json.packageNumberCarrier ?? json.error);
		expect(outcomes).toEqual([input[0]?.number, ...messages, input[5]?.number]);
		expect(linksOf(items)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(items[1]?.json.details).toEqual({
			packageNumberCarrier: '0000',
			carrierCode: 'ANT',
			statusCode: 404,
			serviceMessage: 'Carrier ANT has no shipment 0000',
			correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
		const branched = await run(input);
		expect(linksOf(branched.items)).toEqual([0, 5]);
		expect(valuesOf(branched.errorItems, 'error')).toEqual(messages);
		expect(linksOf(branched.errorItems)).toEqual([1, 2, 3, 4]);
	});
});

describe('A number that makes the whole request fail', () => {
	const refused = 'X-100-REFUSED';

	test.each([
		['names the number', true, `The service said: Entity not found (${refused})`, 2],
		['does not name it', false, 'The service said: Entity not found', 15],
	])('fails alone if the error %s', async (_, isNamed, message, maximum) => {
		const numbers = seedNumbers(99);
		refuseNumber(shop.sandbox, refused, isNamed);
		const input = [...numbers.slice(0, 50), refused, ...numbers.slice(50)].map(ofAnt);
		const { items, errorItems } = await shop.engine.run({
			parameters: track,
			items: input,
			onError,
		});
		expect(numbersOf(items)).toEqual(numbers);
		expect(linksOf(errorItems)).toEqual([50]);
		expect(errorItems[0]?.json).toMatchObject({
			error: message,
			details: { packageNumberCarrier: refused, carrierCode: 'ANT', statusCode: 400 },
		});
		expect(requests().length).toBeLessThanOrEqual(maximum);
		const { error } = await run(input, STOP);
		expect([error?.message, error?.context?.itemIndex]).toEqual([message, 50]);
	});

	test.each([
		[400, 11],
		[401, 1],
		[403, 1],
	])('is not searched for long if %i concerns all of them', async (status, maximum) => {
		const items = seedNumbers(100).map(ofAnt);
		shop.fault('trackShipments', { kind: 'status', status, times: Infinity });
		const { errorItems } = await run(items);
		expect(linksOf(errorItems)).toEqual(items.map((_, index) => index));
		expect(requests().length).toBeLessThanOrEqual(maximum);
	});
});

describe('A request that fails', () => {
	const oneByOne = { ...track, options: { maxConcurrency: 1 } };
	const WEB_PAGE = 'The service returned a web page instead of data';

	test('affects only its own items', async () => {
		const ants = seedNumbers(2);
		const [dodo = ''] = seedNumbers(1, 'DODO-DAY');
		shop.fault('trackShipments', { kind: 'html' });
		const { items, errorItems } = await run(
			[ofAnt(ants.join()), { carrier: 'DODO', number: dodo }, ofAnt(ants[1])],
			onError,
			oneByOne,
		);
		expect(numbersOf(items)).toEqual([dodo]);
		expect(linksOf(errorItems)).toEqual([0, 2]);
		expect(errorItems[0]?.json.error).toContain(WEB_PAGE);
	});

	test('ends the run without Continue, and nothing more is requested', async () => {
		shop.fault('trackShipments', { kind: 'rateLimit', retryAfter: '0' });
		shop.fault('trackShipments', { kind: 'html' });
		const { error } = await run(seedNumbers(250).map(ofAnt), STOP, oneByOne);
		expect(error?.message).toContain(WEB_PAGE);
		expect(requests().map(({ status }) => status)).toEqual([429, 200]);
	});
});

test('a failed item leaves through the error output although n8n cannot look up its input', async () => {
	const items = [ofAnt('UNKNOWN'), ofAnt(seedNumbers(1)[0])];
	const failed = await run(items, STOP);
	// As n8n saves it if the previous node has fewer outputs than the source of the data names.
	for (const next of failed.saved.executionData?.nodeExecutionStack ?? []) {
		next.node.onError = onError;
		for (const source of next.source?.main ?? [])
			Object.assign(source ?? {}, { previousNodeOutput: 1 });
	}
	const { items: tracked, errorItems } = await shop.engine.run({
		parameters: track,
		onError,
		retryOf: failed,
	});
	expect(numbersOf(tracked)).toEqual([items[1]?.number]);
	expect(errorItems).toMatchObject([
		{ json: { error: expect.stringContaining('has no shipment UNKNOWN. Check') }, pairedItem: 0 },
	]);
});

test('a number without a row says what the service says of it beside the rows', async () => {
	const numbers = seedNumbers(3);
	const [first = '', second = '', third = ''] = numbers;
	const errors = [
		{ errorCode: 17, message: 'Number is not registered', reference: second },
		{ errorCode: 18, message: 'Another account', reference: third },
	];
	shop.fault('trackShipments', {
		kind: 'body',
		rewrite: ({ result, ...rest }: { result: object[] }) =>
			({ ...rest, errors, result: result.slice(0, 1) }) as never,
	});
	const { items, errorItems } = await run(numbers.map(ofAnt));
	expect(numbersOf(items)).toEqual([first]);
	expect(valuesOf(errorItems, 'error')).toEqual([
		`No tracking result for shipment ${second} of carrier ANT. The service said: Number is not registered (${second})`,
		`No tracking result for shipment ${third} of carrier ANT. The service said: Another account (${third})`,
	]);
});
