import { type Engine, startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { keepFilesOnDisk } from '../support/filesOnDisk';

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type Sandbox, startSandbox } from '../../sandbox';

const MEGABYTE = 1024 * 1024;
const FILE_MEGABYTES = 200;
/** Much less than the file, and more than the engine, the sandbox and their buffers need. */
const FLAT_MEGABYTES = 60;

let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox({ labelFileBytes: FILE_MEGABYTES * MEGABYTE });
	engine = await startEngine(sandboxCredential(sandbox.url));
	await keepFilesOnDisk();
});
afterAll(() => sandbox.close());

const parameters = { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' };
setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

interface Memory {
	rss: number;
	arrayBuffers: number;
}

/** The maximum memory growth while `work` runs, in megabytes. */
async function growthDuring(work: () => Promise<unknown>): Promise<Memory> {
	collectGarbage();
	const before = process.memoryUsage();
	const peak = { rss: 0, arrayBuffers: 0 };
	const measure = () => {
		// Memory that can be collected does not count.
		collectGarbage({ type: 'minor' });
		const now = process.memoryUsage();
		peak.rss = Math.max(peak.rss, now.rss - before.rss);
		peak.arrayBuffers = Math.max(peak.arrayBuffers, now.arrayBuffers - before.arrayBuffers);
	};
	const timer = setInterval(measure, 20);
	await work();
	measure();
	clearInterval(timer);
	return { rss: peak.rss / MEGABYTE, arrayBuffers: peak.arrayBuffers / MEGABYTE };
}

test('A label file of 200 MB is saved to disk without being held in memory', async () => {
	const [shipment] = sandbox.seedShipments(1, { serviceType: 'ANT-HOME' });
	const print = async () => engine.run({ parameters, items: [{ id: shipment?.id ?? 0 }] });
	await engine.run({
		parameters: { ...parameters, download: false },
		items: [{ id: shipment?.id ?? 0 }],
	});

	let saved: Awaited<ReturnType<typeof print>> | undefined;
	const growth = await growthDuring(async () => {
		saved = await print();
	});
	expect(saved?.items[0]?.binary?.data).toMatchObject({
		mimeType: 'application/pdf',
		bytes: FILE_MEGABYTES * MEGABYTE,
	});
	expect(growth.arrayBuffers).toBeLessThan(FLAT_MEGABYTES);
	expect(growth.rss).toBeLessThan(FLAT_MEGABYTES);
}, 15_000);
