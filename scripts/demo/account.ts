// The account that the demo's workflows use: the sandbox's, or a real one entered in the terminal.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ParcelShippingApi } from '../../credentials/ParcelShippingApi.credentials';
import { readBaseUrl } from '../../nodes/ParcelShipping/transport/credential';
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

/** Checks the address given with --url. Throws the reason if it is not usable. */
export function readAddress(url: string): string {
	const address = readBaseUrl(url);
	if ('problem' in address) throw new Error(address.problem);
	return address.base;
}

/** Asks for the fields of the credential. Secrets are not shown, and stored only in n8n. */
export async function askForAccount(baseUrl: string): Promise<AccountData> {
	if (!process.stdin.isTTY) {
		throw new Error(
			'Run this command in a terminal, so that it can ask for the secret of the account',
		);
	}
	const terminal = openTerminal();
	try {
		const { properties } = new ParcelShippingApi();
		const methods = properties.find(({ name }) => name === 'authentication')
			?.options as INodePropertyOptions[];
		console.log(`\nHow does ${baseUrl} authenticate requests?\n`);
		methods.forEach(({ name, description }, index) =>
			console.log(`  ${index + 1}  ${name.padEnd(24)}${description ?? ''}`),
		);
		const method = methods[await terminal.choose(methods.length)] as INodePropertyOptions;
		const account: AccountData = { baseUrl, authentication: String(method.value) };
		for (const field of properties.filter((property) => belongsTo(property, method.value))) {
			account[field.name] = await terminal.ask(field);
		}
		return account;
	} finally {
		terminal.close();
	}
}

/** Asks for the user of an n8n, or returns nothing if there is nobody to answer. */
export async function askForSignIn(url: string) {
	if (!process.stdin.isTTY) return undefined;
	const terminal = openTerminal();
	try {
		console.log(
			`When ${url} runs with the package, sign in to create the credential and the examples.`,
		);
		const email = { displayName: 'Email in n8n', name: 'email', type: 'string', default: 'skip' };
		const password = { displayName: 'Password', name: 'password', type: 'string', default: '' };
		const given = await terminal.ask(email as INodeProperties);
		if (given === 'skip') return undefined;
		const typeOptions = { password: true };
		const secret = await terminal.ask({ ...password, typeOptions } as INodeProperties);
		return { email: given, password: secret };
	} finally {
		terminal.close();
	}
}

function belongsTo({ type, displayOptions }: INodeProperties, method: unknown): boolean {
	const shownFor = displayOptions?.show?.authentication as unknown[] | undefined;
	return type !== 'hidden' && (shownFor?.includes(method) ?? false);
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

	async function ask({ displayName, default: preset, typeOptions }: INodeProperties) {
		const isSecret = typeOptions?.password === true;
		for (;;) {
			const hint = isSecret ? ' (not shown)' : preset ? ` [${String(preset)}]` : '';
			const question = lines.question(`${displayName}${hint}: `);
			isHidden = isSecret;
			const answer = await question;
			isHidden = false;
			if (isSecret) process.stdout.write('\n');
			const value = answer.trim() || String(preset ?? '');
			if (value) return value;
		}
	}

	async function choose(count: number): Promise<number> {
		for (;;) {
			const answer = Number(await lines.question(`\nNumber from 1 to ${count}: `));
			if (Number.isInteger(answer) && answer >= 1 && answer <= count) return answer - 1;
		}
	}

	return { ask, choose, close: () => lines.close() };
}
