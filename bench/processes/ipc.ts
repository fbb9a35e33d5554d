// Requests and responses between the main process and its child processes.
import { type ChildProcess as NodeChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

type Handlers = Record<string, (data: never) => unknown>;
type Response = { result: unknown } | { error: string };

/** Called in a child process: handles one request after another. */
export function handleRequests(handlers: Handlers): void {
	process.on('message', ({ action, data }: { action: string; data: unknown }) => {
		Promise.resolve()
			.then(() => (handlers[action] as (data: unknown) => unknown)(data))
			.then(
				(result): Response => ({ result }),
				(error: Error): Response => ({ error: error.stack ?? String(error) }),
			)
			.then((response) => process.send?.(response))
			.catch(() => process.exit(1));
	});
	process.on('disconnect', () => process.exit(0));
}

export class ChildProcess {
	private readonly process: NodeChildProcess;
	private readonly exit: Promise<unknown[]>;

	constructor(file: string, args: string[] = []) {
		const execArgv = [...process.execArgv, '--expose-gc'];
		this.process = fork(path.join(__dirname, file), args, { execArgv });
		this.exit = once(this.process, 'exit');
	}

	async request<Result>(action: string, data: unknown = null): Promise<Result> {
		this.process.send({ action, data });
		const end = this.exit.then(([code]) => [
			{ error: `A child process exited with code ${code} during "${action}"` },
		]);
		const [response] = (await Promise.race([once(this.process, 'message'), end])) as [Response];
		if ('error' in response) throw new Error(response.error);
		return response.result as Result;
	}

	async stop(): Promise<void> {
		if (this.process.exitCode !== null) return;
		this.process.disconnect();
		await this.exit;
	}
}
