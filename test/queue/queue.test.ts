// All tests use the same n8n, with a main process and two workers. Each test continues where the
// previous one ended.
import { keyBy, map, pick } from 'lodash';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { withCredential } from '../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft } from '../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../sandbox';
import { createCredential } from '../e2e/support/e2eSetup';
import { isUnfinished, readTable, untilThereIs } from '../e2e/support/executions';
import { orderOf } from '../support/shop';
import { Cluster } from './support/cluster';

// Far more than it takes, so that a test that hangs still ends and stops what it started.
jest.setTimeout(900_000);

const HALF = 250;
const TWICE = 25;

const cluster = new Cluster();
let sandbox: Sandbox;
let workflow: StoredWorkflow;

beforeAll(async () => {
	sandbox = await startSandbox({ latencyMs: 150 });
	await cluster.open();
	const { rest } = cluster.main;
	const file = path.resolve(__dirname, '../../docs/scaling/kept-orders.json');
	const example = JSON.parse(readFileSync(file, 'utf8')) as WorkflowDraft;
	const nodes = withCredential(example.nodes, await createCredential(rest, sandbox));
	workflow = await rest.createWorkflow({ ...example, nodes });
	await rest.request('POST', `/workflows/${workflow.id}/run`, {
		triggerToStartFrom: { name: 'Once, by Hand' },
	});
	await untilThereIs(async () => (await orderRows().catch(() => undefined)) && true);
	await rest.publish(workflow);
});

// Also what has started before an error.
afterAll(async () => {
	await cluster.stop();
	await sandbox?.close();
});

interface ExecutionRow {
	id: string;
	status: string;
	retrySuccessId: string | null;
}

interface OrderRow {
	orderNumber: string;
	state: 'open' | 'shipped' | 'refused';
	shipment: string | null;
	execution: string | null;
}

const shipments = () => sandbox.database.shipments().filter(({ canceled }) => !canceled);

/** From the database: n8n's list sorts by start time and continues by ID, so it can skip some. */
const readExecutions = async () =>
	cluster.rows<ExecutionRow>(
		`SELECT id::text, status, "retrySuccessId"
		FROM execution_entity WHERE "workflowId" = '${workflow.id}' ORDER BY execution_entity.id`,
	);

const orderRows = async () => readTable<OrderRow>(cluster.main.rest, 'Orders');

/** Does the same as the button *Retry* in the list of executions. */
const retry = async ({ id }: ExecutionRow) =>
	cluster.main.rest.request<ExecutionRow>('POST', `/executions/${id}/retry`, {
		loadWorkflow: false,
	});

/** Failed, and not retried with success. */
const isFailed = ({ status, retrySuccessId }: ExecutionRow) =>
	['error', 'crashed'].includes(status) && !retrySuccessId;

const untilFinished = async () =>
	untilThereIs(async () => {
		const rows = await readExecutions();
		return !rows.some(isUnfinished) && rows;
	}, 300_000);

/** Repeats open orders after 75 seconds instead of ten minutes, and checks every ten seconds. */
async function shortenWaitingTimes(): Promise<void> {
	const { rest } = cluster.main;
	const everyTenSeconds = '{"field":"seconds","secondsInterval":10}';
	const draft = pick(workflow, 'name', 'nodes', 'connections', 'settings', 'versionId');
	const text = JSON.stringify(draft)
		.replaceAll('{ minutes: 10 }', '{ seconds: 75 }')
		.replaceAll('{"field":"minutes","minutesInterval":1}', everyTenSeconds);
	workflow = await rest.request('PATCH', `/workflows/${workflow.id}`, JSON.parse(text));
	await rest.publish(workflow);
}

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
	const { url } = cluster.main.running;
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
		sandbox.fault({ ...limit, skip: skip * 4 });
		sandbox.fault({ ...creation, kind: 'latency', ms: 1500, skip });
		sandbox.fault({ ...lost, skip: skip + 5 });
		sandbox.fault({ ...lost, kind: 'halfBody', cut: true, skip: skip + 15 });
	}
}

/** Kills a worker in the middle of the orders, and sends some again. */
async function sendAndKill(orders: readonly Order[], worker: number, restart = async () => {}) {
	addFaults();
	const shipped = shipments().length;
	const sending = sendOrders(orders);
	const isInside = () => shipments().length >= shipped + HALF * 0.3;
	await untilThereIs(isInside, 240_000);
	await cluster.workers[worker]?.kill();
	await restart();
	await Promise.all([sending, cluster.startWorker()]);
	const numbers = new Set(shipments().map((each) => each.packageNumberCustom));
	await sendOrders(orders.filter(({ reference }) => numbers.has(reference)).slice(0, TWICE));
}

test('After a restart, n8n can retry the executions of a killed worker, and each order ships once', async () => {
	const orders = makeOrders(HALF);
	await sendAndKill(orders, 0, async () => {
		await cluster.main.running.stop();
		await cluster.main.start();
	});
	const failed = (await untilFinished()).filter(isFailed);
	const retried: string[] = [];
	// One after the other: two executions of the same order may have failed.
	for (const execution of failed) retried.push((await retry(execution)).status);
	expect(failed.length).toBeGreaterThan(0);
	expect(retried).toEqual(failed.map(() => 'success'));
	await expectEachOnce(orders);
});

test('Without a restart, the workflow repeats the orders of a killed worker, and each ships once', async () => {
	const orders = makeOrders(HALF, HALF);
	await shortenWaitingTimes();
	const before = new Set((await readExecutions()).map(({ id }) => id));
	await sendAndKill(orders, 1);
	const failed = (await untilFinished()).filter((each) => isFailed(each) && !before.has(each.id));
	expect(failed.length).toBeGreaterThan(0);
	const rejected = orders.flatMap((order) => (order.isRejected ? order.reference : []));
	await untilThereIs(async () => {
		const open = (await orderRows()).filter(({ state }) => state === 'open');
		return open.every(({ orderNumber }) => rejected.includes(orderNumber));
	}, 300_000);
	await expectEachOnce([...makeOrders(HALF), ...orders]);

	// The reason to store orders: n8n has deleted the data of these executions, so a retry does nothing.
	const again = await retry(failed[0] as ExecutionRow);
	expect(again).toMatchObject({ status: 'error', finished: false });
});

/** The orders whose row is open, or not written by an execution that has succeeded. */
async function unsettledOrders(): Promise<string[]> {
	const executions = await readExecutions();
	const succeeded = executions.flatMap(({ id, status }) => (status === 'success' ? id : []));
	return (await orderRows())
		.filter(({ state, execution }) => state === 'open' || !succeeded.includes(execution ?? ''))
		.map(({ orderNumber }) => orderNumber);
}

/** Expects a shipment and a row for each order, after repeating what is unsettled: a response may get lost again. */
async function expectEachOnce(orders: readonly Order[]): Promise<void> {
	for (let round = 1; round <= 5; round++) {
		const unsettled = await unsettledOrders();
		if (unsettled.length === 0) break;
		await sendOrders(orders.filter(({ reference }) => unsettled.includes(reference)));
		await untilFinished();
	}
	expect(await unsettledOrders()).toEqual([]);
	const accepted = orders.filter(({ isRejected }) => !isRejected);
	const shipped = map(shipments(), 'packageNumberCustom');
	expect(shipped.sort()).toEqual(map(accepted, 'reference').sort());
	const byOrder = keyBy(shipments(), 'packageNumberCustom');
	const expected = orders.map(({ reference, isRejected }) => {
		const number = byOrder[reference]?.packageNumberCarrier ?? null;
		return [reference, isRejected ? 'refused' : 'shipped', number];
	});
	const rows = await orderRows();
	const found = rows.map(({ orderNumber, state, shipment }) => [orderNumber, state, shipment]);
	expect(found.sort()).toEqual(expected.sort());
}
