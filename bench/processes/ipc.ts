// Requests and responses between the main process and its child processes.
import { type ChildProcess as NodeChildProcess, fork } from 'node:child_process';
import path from 'node:path';

interface Request {
	action: string;
	data: unknown;
}

type Response = { result: unknown } | { error: string };

type Handlers = Record<string, (data: never) => unknown>;

/** Called in a child process: handles one request after another. */
export function handleRequests(handlers: Handlers): void {
	process.on('message', ({ action, data }: Request) => {
		Promise.resolve()
			.then(() => (handlers[action] as (data: unknown) => unknown)(data))
			.then(
				(result): Response => ({ result }),
				(error: Error): Response => ({ error: error.stack ?? String(error) }),
			)
			.then((response) => process.send?.(response))
			.catch((error: unknown) => {
				console.error(error);
				process.exit(1);
			});
	});
	process.on('disconnect', () => process.exit(0));
}

export class ChildProcess {
	private readonly process: NodeChildProcess;

	constructor(file: string, args: string[] = []) {
		this.process = fork(path.join(__dirname, file), args, {
			execArgv: [...process.execArgv, '--expose-gc'],
		});
	}

	async request<Result>(action: string, data: unknown = null): Promise<Result> {
		return await new Promise<Result>((resolve, reject) => {
			const onExit = (code: number | null) =>
				reject(new Error(`A child process exited with code ${code} during "${action}"`));
			this.process.once('exit', onExit);
			this.process.once('message', (response: Response) => {
				this.process.off('exit', onExit);
				if ('error' in response) reject(new Error(response.error));
				else resolve(response.result as Result);
			});
			this.process.send({ action, data } satisfies Request);
		});
	}

	async stop(): Promise<void> {
		if (this.process.exitCode !== null) return;
		await new Promise<void>((resolve) => {
			this.process.once('exit', () => resolve());
			this.process.disconnect();
		});
	}
}
