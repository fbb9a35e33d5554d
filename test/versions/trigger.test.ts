import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { N8n } from '../../scripts/demo/n8n';
import { installPackage } from '../../scripts/demo/package';
import type { N8nRest } from '../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../sandbox';
import { CARRIER, EventFeed } from '../e2e/support/eventFeed';
import { untilThereIs } from '../e2e/support/examples';
import { executionsOf } from '../e2e/support/executions';
import { chain, node, PARCEL_SHIPPING } from '../e2e/support/nodes';
import { sandboxCredential } from '../support/credentials';
import { newOwner, startVersion } from './support/olderN8n';

jest.setTimeout(300_000);

const folder = mkdtempSync(path.join(tmpdir(), 'parcel-versions-trigger-'));
const owner = newOwner();
let sandbox: Sandbox;
let running: { n8n: N8n; rest: N8nRest };

const start = async () => (running = await startVersion(folder, owner, 5780));

beforeAll(async () => {
	await installPackage(folder);
	sandbox = await startSandbox();
	await start();
});
afterAll(async () => {
	await running.n8n.stop();
	await sandbox.close();
	rmSync(folder, { recursive: true, force: true });
});

test('each event since publishing starts the workflow once, also after a restart and a crash', async () => {
	const feed = new EventFeed(sandbox);
	for (let count = 0; count < 3; count++) feed.addBefore();
	const credential = await running.rest.createCredential({
		name: 'Sandbox',
		type: 'parcelShippingApi',
		data: sandboxCredential(sandbox.url),
	});
	// Twelve schedules, because n8n polls at most once a minute with each.
	const item = Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	}));
	const trigger = node({
		type: `${PARCEL_SHIPPING}Trigger`,
		name: 'Events',
		credentials: { parcelShippingApi: { id: credential.id, name: credential.name } },
		parameters: { pollTimes: { item }, filters: { carrierCodes: [CARRIER] }, events: ['all'] },
	});
	const workflow = await running.rest.createWorkflow(
		chain('Events', [trigger, node({ type: 'n8n-nodes-base.noOp', name: 'Afterwards' })]),
	);
	// Dates have no milliseconds, so events in the second of publishing would be new.
	await sleep(1_100);
	await running.rest.publish(workflow);

	const emitted = async () => {
		const executions = await executionsOf(running.rest, workflow.id);
		return executions.flatMap((execution) => execution.jsonOf('Events').map(({ name }) => name));
	};
	const untilAllAreEmitted = async () => {
		await untilThereIs(
			async () => ((await emitted()).length >= feed.since.length ? true : undefined),
			60_000,
		);
	};

	for (let count = 0; count < 3; count++) feed.addEvent();
	await untilAllAreEmitted();
	await running.n8n.stop();
	for (let count = 0; count < 2; count++) feed.addEvent();
	await start();
	await untilAllAreEmitted();
	await running.n8n.kill();
	feed.addEvent();
	await start();
	await untilAllAreEmitted();
	// Two more polls would repeat an event that was not saved as known.
	await sleep(11_000);
	expect((await emitted()).sort()).toEqual([...feed.since].sort());
});
