// `npm start`, once everything is installed.
import { once } from 'node:events';

import { readOptions } from './options';
import { type CleanupSteps, startDemo } from './startDemo';

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if ('usage' in options) {
		console.log(options.usage);
		return;
	}
	const stop = listenForStop();
	const cleanup: CleanupSteps = [];
	try {
		const { ended, logFile } = await startDemo(options, cleanup, stop.signal);
		const how = await Promise.race([ended, stop.requested]);
		if (how === 'crashed') throw new Error(`n8n stopped unexpectedly. See ${logFile}`);
	} catch (error) {
		if (!stop.signal.aborted) throw error;
	} finally {
		if (cleanup.length > 0) console.log('\nStopping');
		for (const step of cleanup.reverse()) await step();
	}
	console.log('Stopped');
}

function listenForStop() {
	const controller = new AbortController();
	const { signal } = controller;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => controller.abort());
	}
	return { signal, requested: once(signal, 'abort').then(() => undefined) };
}

main()
	.catch((error: Error) => {
		console.error(`\n${error.message}`);
		process.exitCode = 1;
	})
	// An open timer of a library must not keep the process running.
	.finally(() => process.exit());
