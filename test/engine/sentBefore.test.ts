import { fieldsOf, valuesOf } from '../support/outputs';
import { orderItem, ordersOf } from '../support/shop';
import { useShop } from '../support/useShop';

// What was sent is not sent again, although no record shows it.

const shop = useShop();

const STOP = { onError: 'stopWorkflow', limits: { maxRetryWait: 0 } } as const;
const UNKNOWN = 'Could not confirm whether ANT created the shipment of order "A-1"';
const UNKNOWN_NUMBER = `${UNKNOWN}. It may be 0012345000000000001001, without an ID`;

/** The list lacks the shipments that it chooses. */
const hide = (isHidden: (id: number) => boolean) =>
	shop.rewrite(
		'findShipments',
		({ result, ...rest }: { result: { data: Array<{ id: number }> } }) => {
			const data = result.data.filter(({ id }) => !isHidden(id));
			return { ...rest, result: { data, total: data.length } };
		},
		{ times: Infinity },
	);

/** The next response to a creation has tracking numbers and no IDs. */
const omitIds = (meanwhile = () => {}) =>
	shop.rewrite('createShipments', ({ result, ...rest }: { result: object[] }) => {
		meanwhile();
		return { ...rest, result: result.map((row) => ({ ...row, id: undefined })) };
	});

const loseResponse = () => shop.fault('createShipments', { kind: 'reset', when: 'after' });

const timesSent = () => shop.requests('createShipments').length;

function letRequestsTakeSixMinutes(): void {
	const start = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => start + timesSent() * 6 * 60_000);
}

afterEach(() => jest.restoreAllMocks());

test('not by n8n, after the memory of five minutes', async () => {
	hide(() => true);
	loseResponse();
	letRequestsTakeSixMinutes();
	const { error } = await shop.create(ordersOf('A-1'), {}, { ...STOP, tries: 2 });
	expect([error?.message, timesSent()]).toEqual([UNKNOWN, 1]);
});

test('not by another execution within five minutes', async () => {
	hide(() => true);
	loseResponse();
	await shop.create(ordersOf('A-1'), {}, STOP);
	const { error } = await shop.create(ordersOf('A-1'), {}, STOP);
	expect([error?.message, timesSent()]).toEqual([UNKNOWN, 1]);
});

test('not by another execution within five minutes of the end of its request', async () => {
	hide(() => true);
	loseResponse();
	letRequestsTakeSixMinutes();
	await shop.create(ordersOf('A-1'), {}, STOP);
	const { error } = await shop.create(ordersOf('A-1'), {}, STOP);
	expect([error?.message, timesSent()]).toEqual([UNKNOWN, 1]);
});

test('not by another execution, if the provider has no detail of it yet', async () => {
	hide(() => true);
	await shop.create(ordersOf('A-1'));
	shop.rewrite('getShipment', (response: object) => ({ ...response, result: [] }));
	const { error } = await shop.create(ordersOf('A-1'), {}, STOP);
	expect([error?.message, timesSent()]).toEqual([`${UNKNOWN}. It may be ID 1001`, 1]);
});

test('not by a person who retries, if a response has named it', async () => {
	hide(() => true);
	omitIds();
	const failed = await shop.create(ordersOf('A-1'), {}, STOP);
	const { error } = await shop.create(ordersOf('A-1'), {}, { ...STOP, retryOf: failed });
	expect([error?.message, timesSent()]).toEqual([UNKNOWN_NUMBER, 1]);
});

test('nor if a response has named it without its ID: the records have its tracking number', async () => {
	omitIds();
	const { items } = await shop.create(ordersOf('A-1'), {}, STOP);
	expect([...fieldsOf(items, 'id'), timesSent()]).toEqual([[1001], 1]);
});

test('what another process has created meanwhile is not taken for it', async () => {
	hide((id) => id === 1001);
	omitIds(() => {
		shop.sandbox.seedShipments(1, orderItem('A-1'));
	});
	const { items, errorItems } = await shop.create(ordersOf('A-1'), {}, { limits: STOP.limits });
	expect(fieldsOf(items, 'id')).toEqual([]);
	expect(valuesOf(errorItems, 'error')).toEqual([UNKNOWN_NUMBER]);
});

test('an order that must not exist keeps the others from being sent, unless the node continues', async () => {
	await shop.create(ordersOf('A-1'));
	const { error } = await shop.create(ordersOf('A-1', 'A-2'), { ifShipped: 'fail' }, STOP);
	expect(error?.message).toContain('A shipment of order "A-1" already exists');
	expect(shop.references()).toEqual(['A-1']);
	await shop.create(ordersOf('A-1', 'A-2'), { ifShipped: 'fail' });
	expect(shop.references()).toEqual(['A-1', 'A-2']);
});

test('what somebody has created since then is not canceled in a retry by a person', async () => {
	let isHidden = true;
	hide(() => isHidden);
	loseResponse();
	const failed = await shop.create(ordersOf('A-1'), {}, STOP);
	isHidden = false;
	shop.sandbox.seedShipments(1, orderItem('A-1'));
	const { items } = await shop.create(ordersOf('A-1'), {}, { ...STOP, retryOf: failed });
	expect(fieldsOf(items, 'id', 'duplicates')).toEqual([
		[1001, [expect.objectContaining({ id: 1002 })]],
	]);
	expect(shop.livingIds()).toEqual([1001, 1002]);
});

test('an order whose shipments could not be read again says so', async () => {
	shop.fault('findShipments', { kind: 'status', status: 500, skip: 1, times: Infinity });
	const { items } = await shop.create(ordersOf('A-1'), {}, { limits: STOP.limits });
	const unchecked = expect.stringContaining('could not complete the request');
	expect(fieldsOf(items, 'id', 'uncheckedDuplicate')).toEqual([[1001, unchecked]]);
});
