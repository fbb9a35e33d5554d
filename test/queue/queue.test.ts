// All tests use the same n8n, with a main process and two workers. Each test continues where the
// previous one ended.
import { keyBy, map } from 'lodash';
import { setTimeout as sleep } from 'node:timers/promises';

import { untilThereIs } from '../e2e/support/executions';
import { orderOf } from '../support/shop';
import { isFailed, QueueSetup } from './support/queueSetup';

// Far more than it takes, so that a test that hangs still ends and stops what it started.
jest.setTimeout(900_000);

const HALF = 250;
const TWICE = 25;

const setup = new QueueSetup();
beforeAll(async () => setup.open());
afterAll(async () => setup.close());

/** Orders of the shop. Crane rejects those without an email: every 25th. */
const makeOrders = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => {
		const number = from + index;
		const isRejected = number % 25 === 7;
		const carrier = isRejected || number % 5 === 0 ? 'CRANE' : 'ANT';
		const reference = `WEB-${String(number).padStart(5, '0')}`;
		const email = isRejected ? { recEmail: undefined } : {};
		return { reference, isRejected, body: orderOf(carrier, reference, email) };
	});

type Order = ReturnType<typeof makeOrders>[number];

/** Sends each order until it is accepted, twelve in parallel. */
async function sendOrders(orders: readonly Order[]): Promise<void> {
	const waiting = [...orders];
	const send = async () => {
		for (let order = waiting.shift(); order; order = waiting.shift()) {
			while (!(await isAccepted(order))) await sleep(2_000);
		}
	};
	await Promise.all(Array.from({ length: 12 }, send));
}

async function isAccepted({ body }: Order) {
	// n8n may use another port after a restart.
	const { url } = setup.cluster.main.running;
	const response = await fetch(`${url}/webhook/orders`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		// Long enough for an order that waits for a worker.
		signal: AbortSignal.timeout(60_000),
	}).catch(() => undefined);
	await response?.arrayBuffer().catch(() => undefined);
	return response?.status === 202;
}

/**
 * Adds rate limits, slow responses, and responses that are lost after the provider did the work. No response about a
 * rejected order is lost: the provider would have no record of it, and the worker that has sent it remembers it for five
 * minutes.
 */
function addFaults(): void {
	const creation = { operation: 'createShipments' } as const;
	const onlyIf = (sent: Array<Order['body']>) => sent.every(({ recEmail }) => recEmail);
	const lost = { ...creation, kind: 'reset', when: 'after', onlyIf } as const;
	for (let skip = 0; skip < HALF; skip += 20) {
		const limit = { operation: '*', kind: 'rateLimit', retryAfter: '1', times: 3 } as const;
		setup.sandbox.fault({ ...limit, skip: skip * 4 });
		setup.sandbox.fault({ ...creation, kind: 'latency', ms: 1500, skip });
		setup.sandbox.fault({ ...lost, skip: skip + 5 });
		setup.sandbox.fault({ ...lost, kind: 'halfBody', cut: true, skip: skip + 15 });
	}
}

/** Kills a worker in the middle of the orders, and sends some again. */
async function sendAndKill(orders: readonly Order[], worker: number, restart = async () => {}) {
	const { cluster } = setup;
	addFaults();
	const shipped = setup.shipments().length;
	const sending = sendOrders(orders);
	const isInside = () => setup.shipments().length >= shipped + HALF * 0.3;
	await untilThereIs(isInside, 240_000);
	await cluster.workers[worker]?.kill();
	await restart();
	await Promise.all([sending, cluster.startWorker()]);
	const numbers = new Set(setup.shipments().map((each) => each.packageNumberCustom));
	await sendOrders(orders.filter(({ reference }) => numbers.has(reference)).slice(0, TWICE));
}

test('After a restart, n8n can retry the executions of a killed worker, and each order ships once', async () => {
	const orders = makeOrders(HALF);
	await sendAndKill(orders, 0, async () => {
		await setup.cluster.main.running.stop();
		await setup.cluster.main.start();
	});
	const failed = (await setup.untilFinished()).filter(isFailed);
	const retried: string[] = [];
	// One after the other: two executions of the same order may have failed.
	for (const execution of failed) retried.push((await setup.retry(execution)).status);
	expect(failed.length).toBeGreaterThan(0);
	expect(retried).toEqual(failed.map(() => 'success'));
	await expectEachOnce(orders);
});

test('Without a restart, the workflow repeats the orders of a killed worker, and each ships once', async () => {
	const orders = makeOrders(HALF, HALF);
	await setup.shortenWaitingTimes();
	const before = new Set((await setup.executions()).map(({ id }) => id));
	await sendAndKill(orders, 1);
	const failed = (await setup.untilFinished()).filter(
		(each) => isFailed(each) && !before.has(each.id),
	);
	expect(failed.length).toBeGreaterThan(0);
	const rejected = orders.flatMap((order) => (order.isRejected ? order.reference : []));
	await untilThereIs(async () => {
		const open = (await setup.orderRows()).filter(({ state }) => state === 'open');
		return open.every(({ orderNumber }) => rejected.includes(orderNumber));
	}, 300_000);
	await expectEachOnce([...makeOrders(HALF), ...orders]);

	// The reason to store orders: n8n has deleted the data of these executions, so a retry does nothing.
	const retry = await setup.retry(failed[0] as (typeof failed)[number]);
	expect(retry).toMatchObject({ status: 'error', finished: false });
});

/** The orders whose row is open, or not written by an execution that has succeeded. */
async function unsettledOrders(): Promise<string[]> {
	const executions = await setup.executions();
	const succeeded = executions.flatMap(({ id, status }) => (status === 'success' ? id : []));
	return (await setup.orderRows())
		.filter(({ state, execution }) => state === 'open' || !succeeded.includes(execution ?? ''))
		.map(({ orderNumber }) => orderNumber);
}

/** Expects a shipment and a row for each order, after repeating what is unsettled: a response may get lost again. */
async function expectEachOnce(orders: readonly Order[]): Promise<void> {
	for (let round = 1; round <= 5; round++) {
		const unsettled = await unsettledOrders();
		if (unsettled.length === 0) break;
		await sendOrders(orders.filter(({ reference }) => unsettled.includes(reference)));
		await setup.untilFinished();
	}
	expect(await unsettledOrders()).toEqual([]);
	const accepted = orders.filter(({ isRejected }) => !isRejected);
	const shipped = map(setup.shipments(), 'packageNumberCustom');
	expect(shipped.sort()).toEqual(map(accepted, 'reference').sort());
	const shipments = keyBy(setup.shipments(), 'packageNumberCustom');
	const expected = orders.map(({ reference, isRejected }) => {
		const number = shipments[reference]?.packageNumberCarrier ?? null;
		return [reference, isRejected ? 'refused' : 'shipped', number];
	});
	const rows = await setup.orderRows();
	const found = rows.map(({ orderNumber, state, shipment }) => [orderNumber, state, shipment]);
	expect(found.sort()).toEqual(expected.sort());
}
