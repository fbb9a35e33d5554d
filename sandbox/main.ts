import { parseArgs } from 'node:util';
import { readDialect, readSeed, type Sandbox, startSandbox } from './index';

const usage = `npm run sandbox -- [options]

  --port <number>             port to listen on (default 3040)
  --shipments <number>        number of shipments to start with (default 0)
  --dialect documented        respond as in the public guide of a provider, not the interface document
  --without-extras            do not offer what not every service has: canceling, handing over,
                              lists of printers and pickup points
`;

function parseWholeNumber(text: string, name: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new Error(`--${name} must be a whole number, not "${text}"`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '3040' },
			shipments: { type: 'string', default: '0' },
			dialect: { type: 'string', default: 'interface' },
			'without-extras': { type: 'boolean', default: false },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(usage);
	const count = parseWholeNumber(values.shipments, 'shipments');
	const sandbox = await startSandbox({
		port: parseWholeNumber(values.port, 'port'),
		dialect: readDialect(values.dialect),
		withoutExtras: values['without-extras'],
	});
	if (count > 0) sandbox.seedShipments(count, { hoursAgo: 24, spreadHours: 24 });
	console.log(startMessage(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('\nStopped.')));
	}
}

function startMessage({ home, url, signInSettings: signIn }: Sandbox): string {
	const { header, bearer, basic, query } = readSeed().credentials;
	const more = (signIn.requiredFields ?? []).map((field) => ` and a ${field}`).join('');
	return `The parcel service sandbox is running.

  Home page       ${home}
  Base URL        ${url}

  Use any of these credentials:
    Header        ${header.name}: ${header.value}
    Bearer        ${bearer.token}
    Basic         ${basic.username} / ${basic.password}
    Query         ${query.name}=${query.value}
    Sign in       POST ${signIn.path} with ${signIn.userField} ${signIn.username} and ${signIn.passwordField} ${signIn.password}${more},
                  then its ${signIn.tokenField} in the header ${signIn.headerName}

Next: in n8n, add a Parcel Shipping API credential with this base URL and header, then create a
shipment with carrier ANT. Or try it from the command line:

  curl -s ${url}/Carrier/Find -H '${header.name}: ${header.value}' -H 'Content-Type: application/json' -d '{}'

Press Ctrl+C to stop. All data is lost.`;
}

main().catch((error: NodeJS.ErrnoException) => {
	const isPortTaken = error.code === 'EADDRINUSE';
	const advice = isPortTaken
		? '\nUse another port: npm run sandbox -- --port 3041'
		: `\n\n${usage}`;
	console.error(`Could not start the sandbox: ${error.message}${advice}`);
	process.exitCode = 1;
});
