// All tests use the same n8n, with a main process and two workers. Each test continues where the
// previous one ended.
import { untilThereIs } from '../e2e/support/examples';
import { readExecution } from '../e2e/support/executions';
import { duplicateWindowsMs, percentile } from './support/duplicateWindow';
import { addFaults } from './support/faults';
import {
	type ExecutionRow,
	isFailed,
	readExecutionRows,
	readOrderRows,
	retry,
} from './support/n8nData';
import { cpuMs, memoryMb } from './support/processUsage';
import { QueueSetup, TRIGGER } from './support/queueSetup';
import { makeOrders, sendOrders, type ShopOrder, willBeRejected } from './support/shop';

// Far more than it takes, so that a test that hangs still ends and stops what it started.
jest.setTimeout(600_000);

const HALF = 250;
const TWICE = 25;

let setup: QueueSetup;

beforeAll(async () => {
	setup = await QueueSetup.open();
});

afterAll(async () => {
	await setup?.close();
});

test('After a restart, n8n can retry the executions of a killed worker, and each order ships once', async () => {
	const { cluster, sandbox, webhook } = setup;
	const orders = makeOrders(HALF);
	addFaults(sandbox, HALF);
	const sending = sendOrders(webhook, orders);
	await setup.untilShipped(HALF * 0.3);
	await setup.untilNoTrackingRuns();
	await cluster.workers[0]?.kill();
	await cluster.main.stop();
	await cluster.startMain();
	const [{ retries }] = await Promise.all([sending, cluster.startWorker()]);
	await sendOrders(webhook, shippedOf(orders).slice(0, TWICE));

	const failed = (await setup.untilFinished()).filter(isFailed);
	const retried: ExecutionRow[] = [];
	// One after the other: two executions of the same order may have failed.
	for (const execution of failed) retried.push(await retry(setup.n8n, execution));
	// If the response about a rejected order is lost, the service has no record of it, so its row stays open.
	const open = await repeatUnsettled(orders);
	report('Killed and restarted', {
		'repeated by the shop': retries,
		retried: failed.length,
		'repeated because open': open,
	});

	expect(failed.length).toBeGreaterThan(0);
	expect(retried.map(({ status }) => status)).toEqual(failed.map(() => 'success'));
	await expectEachOnce(orders);
});

test('Without a restart, the workflow repeats the orders of a killed worker, and each ships once', async () => {
	const { cluster, sandbox, webhook, n8n } = setup;
	const orders = makeOrders(HALF, HALF);
	addFaults(sandbox, HALF);
	await setup.shortenWaitingTimes();
	const before = new Set((await setup.executions()).map(({ id }) => id));
	const shipped = setup.shipments().length;
	const sending = sendOrders(webhook, orders);
	await setup.untilShipped(shipped + HALF * 0.3);
	await setup.untilNoTrackingRuns();
	await cluster.workers[1]?.kill();
	const [{ retries }] = await Promise.all([sending, cluster.startWorker()]);
	await sendOrders(webhook, shippedOf(orders).slice(0, TWICE));

	const finished = await setup.untilFinished();
	const failed = finished.filter((each) => isFailed(each) && !before.has(each.id));
	expect(failed.length).toBeGreaterThan(0);
	await untilThereIs(async () => {
		const rows = await readOrderRows(n8n);
		return rows.every(({ state }) => state !== 'open') || undefined;
	}, 300_000);
	const late = await repeatUnsettled(orders);
	report('Killed only', {
		'repeated by the shop': retries,
		failed: failed.length,
		'repeated because killed after writing the row': late,
	});
	await expectEachOnce([...makeOrders(HALF), ...orders]);

	// The reason to store orders: n8n has deleted the data of these executions, so a retry does nothing.
	const [first] = failed as [ExecutionRow];
	expect(await retry(n8n, first)).toMatchObject({ status: 'error', finished: false });
});

test('The trigger emits each tracking event once, regardless of restarts', async () => {
	const { cluster, n8n, events, tracking } = setup;
	await events.stop();
	const emitted = await untilThereIs(async () => {
		const rows = await readExecutionRows(cluster.database, tracking.id);
		const polled = await Promise.all(rows.map(async ({ id }) => readExecution(n8n, id)));
		const names = polled.flatMap((each) => each.jsonOf(TRIGGER).map(({ name }) => name as string));
		return names.length >= events.names.length ? names : undefined;
	}, 60_000);
	report('Tracking', { events: events.names.length });
	expect(emitted.sort()).toEqual([...events.names].sort());
});

test('The same order sent twice at once to two workers ends with one living shipment, which both executions return', async () => {
	const { sandbox, webhook } = setup;
	const windowsMs = duplicateWindowsMs(sandbox);
	sandbox.clearFaults();
	const orders = makeOrders(50, 1000).filter((order) => !willBeRejected(order));
	const pairs = orders.flatMap((order) => [order, order]);
	const measured = measure(pairs.length);
	await sendOrders(webhook, pairs);
	await setup.untilFinished();
	measured();

	const numbers = new Set(orders.map(({ packageNumberCustom }) => packageNumberCustom));
	const created = sandbox.database
		.shipments()
		.filter(({ packageNumberCustom }) => numbers.has(packageNumberCustom));
	const living = created.filter(({ canceled }) => !canceled);
	report('Between look-up and creation', {
		orders: windowsMs.length,
		'median ms': percentile(windowsMs, 0.5),
		'95 % ms': percentile(windowsMs, 0.95),
		'longest ms': percentile(windowsMs, 1),
		'pairs sent at once': orders.length,
		'of them created twice': created.length - orders.length,
		'living duplicates': living.length - orders.length,
	});
	expect(living.map((each) => each.packageNumberCustom).sort()).toEqual([...numbers].sort());
	const rows = (await readOrderRows(setup.n8n)).filter((row) => numbers.has(row.orderNumber));
	const carrierNumbers = new Set(living.map((each) => each.packageNumberCarrier));
	expect(rows.filter(({ shipment }) => !carrierNumbers.has(shipment ?? ''))).toEqual([]);
});

function shippedOf(orders: readonly ShopOrder[]): ShopOrder[] {
	const numbers = new Set(setup.shipments().map((each) => each.packageNumberCustom));
	return orders.filter(({ packageNumberCustom }) => numbers.has(packageNumberCustom));
}

/** Repeats up to five times: a response may get lost again, and a rejected order leaves no record. */
async function repeatUnsettled(orders: readonly ShopOrder[]): Promise<number> {
	const sent: ShopOrder[] = [];
	for (let round = 1; round <= 5; round++) {
		const unsettled = await unsettledOf(orders);
		if (unsettled.length === 0) break;
		await sendOrders(setup.webhook, unsettled);
		await setup.untilFinished();
		sent.push(...unsettled);
	}
	return sent.length;
}

/** Orders whose row is open, or whose execution was killed after it wrote the row. */
async function unsettledOf(orders: readonly ShopOrder[]): Promise<ShopOrder[]> {
	const succeeded = await succeededIds();
	const rows = (await readOrderRows(setup.n8n)).filter(
		({ state, execution }) => state === 'open' || !succeeded.has(execution ?? ''),
	);
	const numbers = new Set(rows.map(({ orderNumber }) => orderNumber));
	return orders.filter((order) => numbers.has(order.packageNumberCustom));
}

async function succeededIds(): Promise<Set<string>> {
	const executions = await setup.executions();
	return new Set(executions.filter(({ status }) => status === 'success').map(({ id }) => id));
}

/** Expects one shipment per accepted order, and a row of a successful execution per order. */
async function expectEachOnce(orders: readonly ShopOrder[]): Promise<void> {
	const wanted = orders.filter((order) => !willBeRejected(order));
	const shipments = setup.shipments();
	expect(shipments.map((each) => each.packageNumberCustom).sort()).toEqual(
		wanted.map((order) => order.packageNumberCustom).sort(),
	);

	const numbers = new Map(
		shipments.map((each) => [each.packageNumberCustom, each.packageNumberCarrier]),
	);
	const succeeded = await succeededIds();
	const actual = (await readOrderRows(setup.n8n)).map((row) => ({
		orderNumber: row.orderNumber,
		state: row.state,
		shipment: row.shipment,
		isSettled: succeeded.has(row.execution ?? ''),
	}));
	const expected = orders.map((order) => ({
		orderNumber: order.packageNumberCustom,
		state: willBeRejected(order) ? 'refused' : 'shipped',
		shipment: numbers.get(order.packageNumberCustom) ?? null,
		isSettled: true,
	}));
	expect(byNumber(actual)).toEqual(byNumber(expected));
}

function byNumber<Row extends { orderNumber: string }>(rows: Row[]): Row[] {
	return [...rows].sort((a, b) => (a.orderNumber < b.orderNumber ? -1 : 1));
}

/** Measures what executions cost in the running processes until the returned function is called. */
function measure(executions: number): () => void {
	const { main, workers } = setup.cluster;
	const alive = workers.slice(-2);
	const workerCpuMs = () => alive.reduce((sum, worker) => sum + cpuMs(worker), 0);
	const [mainMs, workersMs, startedMs] = [cpuMs(main), workerCpuMs(), Date.now()];
	return () =>
		report('Per order', {
			orders: executions,
			'ms of the main process': Math.round((cpuMs(main) - mainMs) / executions),
			'ms of a worker': Math.round((workerCpuMs() - workersMs) / executions),
			'orders a second': Math.round((executions * 10_000) / (Date.now() - startedMs)) / 10,
			'MB of the main process': memoryMb(main),
			'MB of a worker': Math.max(...alive.map(memoryMb)),
		});
}

function report(title: string, figures: Record<string, number>): void {
	const text = Object.entries(figures).map(([name, value]) => `${name}: ${value}`);
	process.stdout.write(`${title}: ${text.join(', ')}\n`);
}
