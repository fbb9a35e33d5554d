// What `npm start` and `npm run dev` do once everything is installed.
import { startDemo, type Undo } from './demo';
import { readOptions } from './options';

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if ('usage' in options) {
		console.log(options.usage);
		return;
	}
	const stopping = untilAskedToStop();
	const undo: Undo = [];
	try {
		const { death } = await startDemo(options, undo, stopping.signal);
		const died = await Promise.race([death, stopping.asked]);
		if (died) throw died;
	} catch (error) {
		if (!stopping.signal.aborted) throw error;
	} finally {
		if (undo.length > 0) console.log('\nStopping');
		for (const step of undo.reverse()) await step();
	}
	console.log('Stopped');
}

function untilAskedToStop() {
	const controller = new AbortController();
	const stop = () => controller.abort();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
	const asked = new Promise<void>((resolve) => {
		controller.signal.addEventListener('abort', () => resolve());
	});
	return { signal: controller.signal, asked };
}

main()
	.catch((error: Error) => {
		console.error(`\n${error.message}`);
		process.exitCode = 1;
	})
	// A library's forgotten timer must not keep a stopped demo alive.
	.finally(() => process.exit());
