// One story of several chapters, told to one n8n of a main process and two workers: each test goes
// on where the one before has ended.
import { untilThereIs } from '../e2e/support/examples';
import { readExecution } from '../e2e/support/executions';
import { bringBadWeather } from './support/badWeather';
import { cpuMs, memoryMb } from './support/cost';
import {
	type ExecutionRow,
	isFailed,
	readExecutionRows,
	readOrderRows,
	retry,
} from './support/ledger';
import { isToBeRefused, makeOrders, sendOrders, type ShopOrder } from './support/shop';
import { NEWS, Stage } from './support/stage';
import { type Course, coursesOf, dangersMs, percentile } from './support/window';

// Far more than it takes, so that a test that hangs still ends and stops what it started.
jest.setTimeout(600_000);

const HALF = 250;
const TWICE = 25;

let stage: Stage;

beforeAll(async () => {
	stage = await Stage.open();
});

afterAll(async () => {
	await stage?.close();
});

test('After a restart of n8n, the executions of a killed worker are retried, and each order ships once', async () => {
	const { cluster, sandbox, webhook } = stage;
	const orders = makeOrders(HALF);
	bringBadWeather(sandbox, HALF);
	const sending = sendOrders(webhook, orders);
	await stage.untilShipped(HALF * 0.3);
	await stage.untilNoNewsUnderWay();
	await cluster.workers[0]?.kill();
	await cluster.main.stop();
	await cluster.startMain();
	const [{ again }] = await Promise.all([sending, cluster.startWorker()]);
	await sendOrders(webhook, shippedOnes(orders).slice(0, TWICE));

	const failed = (await stage.untilFinished()).filter(isFailed);
	const retried: ExecutionRow[] = [];
	// One by one: of an order that was sent again, two executions may have failed.
	for (const execution of failed) retried.push(await retry(stage.n8n, execution));
	// Of a refused order whose answer was lost, the service knows nothing, so the row says: open.
	const open = await sendUnsettledAgain(orders);
	report('Killed and restarted', {
		'sent again by the shop': again,
		retried: failed.length,
		'sent again because open': open,
	});

	expect(failed.length).toBeGreaterThan(0);
	expect(retried.map(({ status }) => status)).toEqual(failed.map(() => 'success'));
	await expectEachOnce(orders);
});

test('While n8n goes on, the orders of a killed worker are sent again, and each ships once', async () => {
	const { cluster, sandbox, webhook, n8n } = stage;
	const orders = makeOrders(HALF, HALF);
	bringBadWeather(sandbox, HALF);
	await stage.makeImpatient();
	const before = new Set((await stage.executions()).map(({ id }) => id));
	const shipped = stage.shipments().length;
	const sending = sendOrders(webhook, orders);
	await stage.untilShipped(shipped + HALF * 0.3);
	await stage.untilNoNewsUnderWay();
	await cluster.workers[1]?.kill();
	const [{ again }] = await Promise.all([sending, cluster.startWorker()]);
	await sendOrders(webhook, shippedOnes(orders).slice(0, TWICE));

	const finished = await stage.untilFinished();
	const failed = finished.filter((each) => isFailed(each) && !before.has(each.id));
	expect(failed.length).toBeGreaterThan(0);
	await untilThereIs(async () => {
		const rows = await readOrderRows(n8n);
		return rows.every(({ state }) => state !== 'open') || undefined;
	}, 300_000);
	const late = await sendUnsettledAgain(orders);
	report('Killed only', {
		'sent again by the shop': again,
		failed: failed.length,
		'sent again because killed after writing the row': late,
	});
	await expectEachOnce([...makeOrders(HALF), ...orders]);

	// Why the orders have to be kept: n8n has emptied these executions, and a retry does nothing.
	const [first] = failed as [ExecutionRow];
	expect(await retry(n8n, first)).toMatchObject({ status: 'error', finished: false });
});

test('Each tracking event that happened meanwhile came once, whatever was restarted', async () => {
	const { cluster, n8n, news, tracking } = stage;
	await news.end();
	const came = await untilThereIs(async () => {
		const rows = await readExecutionRows(cluster.database, tracking.id);
		const polled = await Promise.all(rows.map(async ({ id }) => readExecution(n8n, id)));
		const names = polled.flatMap((each) => each.jsonOf(NEWS).map(({ name }) => name as string));
		return names.length >= news.told.length ? names : undefined;
	}, 60_000);
	report('Tracking', { events: news.told.length });
	expect(came.sort()).toEqual([...news.told].sort());
});

test('The same order twice in one moment ships twice only if both looked before either was created', async () => {
	const { sandbox, webhook } = stage;
	const alone = dangersMs(sandbox);
	sandbox.clearFaults();
	const orders = makeOrders(50, 1000).filter((order) => !isToBeRefused(order));
	const pairs = orders.flatMap((order) => [order, order]);
	const measured = measure(pairs.length);
	await sendOrders(webhook, pairs);
	await stage.untilFinished();
	measured();

	const courses = coursesOf(sandbox);
	const shipped = stage.shipments().map((each) => each.packageNumberCustom);
	const doubled = orders
		.map(({ packageNumberCustom }) => packageNumberCustom)
		.filter((number) => shipped.filter((each) => each === number).length > 1);
	report('Between look-up and creation', {
		orders: alone.length,
		'median ms': percentile(alone, 0.5),
		'95 % ms': percentile(alone, 0.95),
		'longest ms': percentile(alone, 1),
		'pairs sent in one moment': orders.length,
		'of them shipped twice': doubled.length,
	});
	for (const number of doubled) {
		const { looksMs, creationsMs } = courses.get(number) as Course;
		expect(looksMs.filter((atMs) => atMs <= (creationsMs[0] ?? 0)).length).toBeGreaterThan(1);
	}
});

function shippedOnes(orders: readonly ShopOrder[]): ShopOrder[] {
	const numbers = new Set(stage.shipments().map((each) => each.packageNumberCustom));
	return orders.filter(({ packageNumberCustom }) => numbers.has(packageNumberCustom));
}

/** As often as it takes: an answer may get lost again, and of a refused order nothing can be found. */
async function sendUnsettledAgain(orders: readonly ShopOrder[]): Promise<number> {
	const sent: ShopOrder[] = [];
	for (let round = 1; round <= 5; round++) {
		const unsettled = await unsettledOnes(orders);
		if (unsettled.length === 0) break;
		await sendOrders(stage.webhook, unsettled);
		await stage.untilFinished();
		sent.push(...unsettled);
	}
	return sent.length;
}

/** Orders that are open, or whose execution was killed after it had written that they are not. */
async function unsettledOnes(orders: readonly ShopOrder[]): Promise<ShopOrder[]> {
	const succeeded = await succeededIds();
	const rows = (await readOrderRows(stage.n8n)).filter(
		({ state, execution }) => state === 'open' || !succeeded.has(execution ?? ''),
	);
	const numbers = new Set(rows.map(({ orderNumber }) => orderNumber));
	return orders.filter((order) => numbers.has(order.packageNumberCustom));
}

async function succeededIds(): Promise<Set<string>> {
	const executions = await stage.executions();
	return new Set(executions.filter(({ status }) => status === 'success').map(({ id }) => id));
}

/** One shipment of each order that the carrier took, and of every order an execution that settled it. */
async function expectEachOnce(orders: readonly ShopOrder[]): Promise<void> {
	const wanted = orders.filter((order) => !isToBeRefused(order));
	const shipments = stage.shipments();
	expect(shipments.map((each) => each.packageNumberCustom).sort()).toEqual(
		wanted.map((order) => order.packageNumberCustom).sort(),
	);

	const numbers = new Map(
		shipments.map((each) => [each.packageNumberCustom, each.packageNumberCarrier]),
	);
	const succeeded = await succeededIds();
	const traced = (await readOrderRows(stage.n8n)).map((row) => ({
		orderNumber: row.orderNumber,
		state: row.state,
		shipment: row.shipment,
		isSettled: succeeded.has(row.execution ?? ''),
	}));
	const expected = orders.map((order) => ({
		orderNumber: order.packageNumberCustom,
		state: isToBeRefused(order) ? 'refused' : 'shipped',
		shipment: numbers.get(order.packageNumberCustom) ?? null,
		isSettled: true,
	}));
	expect(byNumber(traced)).toEqual(byNumber(expected));
}

function byNumber<Row extends { orderNumber: string }>(rows: Row[]): Row[] {
	return [...rows].sort((a, b) => (a.orderNumber < b.orderNumber ? -1 : 1));
}

/** What executions cost in the processes that are up, from now until the returned function is called. */
function measure(executions: number): () => void {
	const { main, workers } = stage.cluster;
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

function report(chapter: string, figures: Record<string, number>): void {
	const text = Object.entries(figures).map(([name, value]) => `${name}: ${value}`);
	process.stdout.write(`${chapter}: ${text.join(', ')}\n`);
}
