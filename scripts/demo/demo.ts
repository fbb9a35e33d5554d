// Sandbox, n8n and what is put into it, in the order in which they need each other.
import { randomBytes } from 'node:crypto';

import { startSandbox } from '../../sandbox';
import { askForAccount, sandboxAccount } from './account';
import { ensureCredential, importExamples, laySampleOrders } from './examples';
import { greeting } from './greeting';
import { forget, type Memory, recall, refuseSecondStart, remember } from './memory';
import { createOwner, type N8n, type Owner, startN8n } from './n8n';
import type { Options } from './options';
import { installPackage } from './package';
import { freePort } from './ports';
import { signIn } from './rest';
import { onSourceChange } from './watch';

/** What has to be undone at the end; the last thing first. */
export type Undo = Array<() => Promise<void> | void>;

/** Settles when n8n ends without having been asked to. */
export async function startDemo(
	options: Options,
	undo: Undo,
	signal: AbortSignal,
): Promise<{ death: Promise<Error> }> {
	const startedMs = Date.now();
	const { folder, url } = options;
	const memory = openMemory(options, undo);
	const owner = (memory.owner ??= newOwner());
	const credentialName = url ? 'Parcel Shipping account' : 'Parcel Shipping sandbox';
	const asked = url && memory.credential?.baseUrl !== url ? await askForAccount(url) : undefined;

	console.log('Building and packing the package, unless it is the same as last time');
	await installPackage(folder);
	signal.throwIfAborted();
	const sandbox = url ? undefined : await startTheSandbox(memory, undo);
	const isFirst = memory.imported.length === 0 && !memory.credential;
	console.log(`Starting n8n (${isFirst ? '15 to 60 seconds the first time' : '5 to 20 seconds'})`);
	const keeper = await keepN8n(options, memory, owner, undo, signal);

	const rest = await signIn(keeper.n8n.url, owner);
	const account = sandbox ? sandboxAccount(sandbox.url) : asked;
	if (account && account.baseUrl !== memory.credential?.baseUrl) {
		await ensureCredential(rest, memory, credentialName, account);
		remember(folder, memory);
	}
	if (sandbox) laySampleOrders(keeper.n8n.files);
	await importExamples(rest, memory, credentialName, { publish: !url });
	memory.running = { pid: process.pid, url: keeper.n8n.url };
	remember(folder, memory);
	if (options.isDev) undo.push(onSourceChange(keeper.reload));

	const test = await rest.testCredential(memory.credential?.id ?? '');
	const { isDev } = options;
	const tookMs = Date.now() - startedMs;
	const where = sandbox ? { sandboxHome: sandbox.home } : { baseUrl: url as string };
	const facts = { n8nUrl: keeper.n8n.url, owner, credentialName, tookMs, isDev, test, ...where };
	console.log(`\n${greeting(facts)}\n`);
	return { death: keeper.death };
}

function openMemory({ folder, reset }: Options, undo: Undo): Memory {
	refuseSecondStart(folder);
	if (reset) forget(folder);
	const memory = recall(folder);
	memory.running = { pid: process.pid, url: 'an address it has not said yet' };
	remember(folder, memory);
	undo.push(() => {
		delete memory.running;
		remember(folder, memory);
	});
	return memory;
}

function newOwner(): Owner {
	return createOwner('demo@example.com', `parcel-${randomBytes(4).toString('hex')}`);
}

async function startTheSandbox(memory: Memory, undo: Undo) {
	memory.sandboxPort = await freePort(memory.sandboxPort ?? 3040);
	const sandbox = await startSandbox({ port: memory.sandboxPort });
	undo.push(() => sandbox.close());
	return sandbox;
}

/** n8n, exchanged for a fresh one when the package changes. */
async function keepN8n(
	{ folder }: Options,
	memory: Memory,
	owner: Owner,
	undo: Undo,
	signal: AbortSignal,
) {
	let reportDeath: (error: Error) => void;
	const death = new Promise<Error>((resolve) => (reportDeath = resolve));
	const start = async (): Promise<N8n> => {
		const started = await startN8n({ folder, owner, port: memory.n8nPort ?? 5678, signal });
		memory.n8nPort = started.port;
		void started.ended.then((how) => {
			if (how === 'died') reportDeath(new Error(`n8n ended by itself. See ${started.logFile}`));
		});
		return started;
	};
	const kept = { n8n: await start(), death, reload };
	undo.push(() => kept.n8n.stop());

	async function reload(): Promise<void> {
		const changedMs = Date.now();
		try {
			if ((await installPackage(folder)) === 'up to date' || signal.aborted) return;
			await kept.n8n.stop();
			kept.n8n = await start();
			const seconds = ((Date.now() - changedMs) / 1000).toFixed(1);
			console.log(`Reloaded in ${seconds} s. Reload the page of ${kept.n8n.url} to see the change`);
		} catch (error) {
			if (!signal.aborted) console.error(`\nNot reloaded: ${(error as Error).message}`);
		}
	}
	return kept;
}
