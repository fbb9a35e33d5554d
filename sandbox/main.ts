import { parseArgs } from 'node:util';
import { readDialect, readSeed, type Sandbox, startSandbox } from './index';

const usage = `npm run sandbox -- [options]

  --port <number>             port to listen on (default 3040)
  --dialect documented        respond as in the public guide of a provider, not the interface document
  --without-extras            do not offer what not every provider has: canceling, handing over,
                              lists of printers and pickup points
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '3040' },
			dialect: { type: 'string', default: 'interface' },
			'without-extras': { type: 'boolean', default: false },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(usage);
	const sandbox = await startSandbox({
		port: Number(values.port),
		dialect: readDialect(values.dialect),
		withoutExtras: values['without-extras'],
	});
	console.log(startMessage(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('\nStopped.')));
	}
}

function startMessage({ home, url, signInSettings: signIn }: Sandbox): string {
	const { header, bearer, basic, query } = readSeed().credentials;
	return `The sandbox is running.

  Home page       ${home}
  Base URL        ${url}

  Use any of these credentials:
    Header        ${header.name}: ${header.value}
    Bearer        ${bearer.token}
    Basic         ${basic.username} / ${basic.password}
    Query         ${query.name}=${query.value}
    Sign in       POST ${signIn.path} with email ${signIn.username} and password ${signIn.password}

Press Ctrl+C to stop. All data is lost.`;
}

main().catch((error: Error) => {
	console.error(`Could not start the sandbox: ${error.message}\n\n${usage}`);
	process.exitCode = 1;
});
