// `npm start`, once everything is installed.
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { readDialect } from '../../sandbox';
import { type CleanupSteps, startDemo } from './startDemo';

const usage = `npm start -- [options]

  --reset           start over: delete the n8n of the last start and everything in it
  --dialect <name>  how the sandbox responds: interface (default) or documented`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			reset: { type: 'boolean', default: false },
			dialect: { type: 'string', default: 'interface' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(usage);
	const options = { reset: values.reset, dialect: readDialect(values.dialect) };
	const controller = new AbortController();
	const { signal } = controller;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => controller.abort());
	}
	const stopRequested = once(signal, 'abort');
	const cleanup: CleanupSteps = [];
	try {
		const { ended, logFile } = await startDemo(options, cleanup, signal);
		const how = await Promise.race([ended, stopRequested]);
		if (how === 'crashed') throw new Error(`n8n stopped unexpectedly. See ${logFile}`);
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		if (cleanup.length > 0) console.log('\nStopping');
		for (const step of cleanup.reverse()) await step();
	}
	console.log('Stopped');
}

main()
	.catch((error: Error) => {
		console.error(`\n${error.message}`);
		process.exitCode = 1;
	})
	// An open timer of a library must not keep the process running.
	.finally(() => process.exit());
