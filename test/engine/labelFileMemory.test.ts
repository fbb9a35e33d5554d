import { startEngine } from '../support/engine';
import { sandboxCredential } from '../support/credentials';
import { keepFilesOnDisk } from '../support/filesOnDisk';

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { startSandbox } from '../../sandbox';

const MEGABYTE = 1024 * 1024;
const FILE_MEGABYTES = 200;
/** Much less than the file, and more than the engine, the sandbox and their buffers need. */
const FLAT_MEGABYTES = 60;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** The result of `work`, and by how many megabytes its memory grew at most. */
async function measure<Result>(work: () => Promise<Result>) {
	collectGarbage();
	const before = process.memoryUsage();
	const growth = { samples: 0, rss: 0, arrayBuffers: 0 };
	const timer = setInterval(() => {
		// Memory that can be collected does not count.
		collectGarbage({ type: 'minor' });
		const now = process.memoryUsage();
		growth.samples++;
		for (const kind of ['rss', 'arrayBuffers'] as const) {
			growth[kind] = Math.max(growth[kind], (now[kind] - before[kind]) / MEGABYTE);
		}
	}, 20);
	const result = await work();
	clearInterval(timer);
	return { result, growth };
}

test('A label file of 200 MB is saved to disk without being held in memory', async () => {
	const sandbox = await startSandbox({ labelFileBytes: FILE_MEGABYTES * MEGABYTE });
	const engine = await startEngine(sandboxCredential(sandbox.url));
	await keepFilesOnDisk();
	const shipmentIds = sandbox.seedShipments(1)[0]?.id ?? 0;
	const parameters = { resource: 'label', operation: 'create', shipments: 'ids', shipmentIds };
	const print = async () => engine.run({ parameters });
	await print();
	const { result, growth } = await measure(async () => print());
	await sandbox.close();
	expect(result.items[0]?.binary?.data).toMatchObject({
		mimeType: 'application/pdf',
		bytes: FILE_MEGABYTES * MEGABYTE,
	});
	expect(growth.samples).toBeGreaterThan(5);
	expect(growth.arrayBuffers).toBeLessThan(FLAT_MEGABYTES);
	expect(growth.rss).toBeLessThan(FLAT_MEGABYTES);
});
