// Questions and answers between the process that measures and the processes that it starts.
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

interface Message {
	question: string;
	data: unknown;
}

type Reply = { answer: unknown } | { failure: string };

type Answers = Record<string, (data: never) => unknown>;

/** In a started process: answers one question after another. */
export function answerQuestions(answers: Answers): void {
	process.on('message', ({ question, data }: Message) => {
		Promise.resolve()
			.then(() => (answers[question] as (data: unknown) => unknown)(data))
			.then(
				(answer): Reply => ({ answer }),
				(error: Error): Reply => ({ failure: error.stack ?? String(error) }),
			)
			.then((reply) => process.send?.(reply))
			.catch((error: unknown) => {
				console.error(error);
				process.exit(1);
			});
	});
	process.on('disconnect', () => process.exit(0));
}

export class Companion {
	private readonly process: ChildProcess;

	constructor(file: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
		this.process = fork(path.join(__dirname, file), args, {
			execArgv: [...process.execArgv, '--expose-gc'],
			env: { ...process.env, ...env },
		});
	}

	async ask<Answer>(question: string, data: unknown = null): Promise<Answer> {
		return await new Promise<Answer>((resolve, reject) => {
			const ended = (code: number | null) =>
				reject(new Error(`A measured process ended with ${code} at "${question}"`));
			this.process.once('exit', ended);
			this.process.once('message', (reply: Reply) => {
				this.process.off('exit', ended);
				if ('failure' in reply) reject(new Error(reply.failure));
				else resolve(reply.answer as Answer);
			});
			this.process.send({ question, data } satisfies Message);
		});
	}

	async end(): Promise<void> {
		if (this.process.exitCode !== null) return;
		await new Promise<void>((resolve) => {
			this.process.once('exit', () => resolve());
			this.process.disconnect();
		});
	}
}
