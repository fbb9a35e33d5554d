// The sandbox's account, which the demo's workflows use, and the user of an n8n that runs already.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { readSeed } from '../../sandbox';

export type AccountData = Record<string, string> & { baseUrl: string };

export function sandboxAccount(baseUrl: string): AccountData {
	const { header } = readSeed().credentials;
	return {
		baseUrl,
		authentication: 'header',
		headerName: header.name,
		headerValue: header.value,
	};
}

/** Asks for the user of an n8n, or returns nothing if there is nobody to answer. */
export async function askForSignIn(url: string) {
	if (!process.stdin.isTTY) return undefined;
	const terminal = openTerminal();
	try {
		console.log(
			`When ${url} runs with the package, sign in to create the credential and the examples.`,
		);
		const email = await terminal.ask('Email in n8n [skip]: ');
		if (!email || email === 'skip') return undefined;
		let password = '';
		while (!password) password = await terminal.askSecretly('Password (not shown): ');
		return { email, password };
	} finally {
		terminal.close();
	}
}

function openTerminal() {
	let isHidden = false;
	const output = new Writable({
		write(chunk: Buffer, _encoding, done) {
			if (!isHidden) process.stdout.write(chunk);
			done();
		},
	});
	const lines = createInterface({ input: process.stdin, output, terminal: true });
	// The terminal is in raw mode during a question, so Ctrl+C does not reach the process by itself.
	lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));

	const ask = async (question: string) => (await lines.question(question)).trim();
	const askSecretly = async (question: string) => {
		const answer = ask(question);
		isHidden = true;
		await answer;
		isHidden = false;
		process.stdout.write('\n');
		return await answer;
	};
	return { ask, askSecretly, close: () => lines.close() };
}
