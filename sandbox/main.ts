import { parseArgs } from 'node:util';
import { readSeed, type SandboxOptions, startSandbox } from './index';

const usage = `npm run sandbox -- [options]

  --port <number>             address to listen at on this machine (default 3040)
  --shipments <number>        begin with so many shipments instead of none
  --latency <milliseconds>    wait before every answer
  --step <hours>              hours between two movements of a shipment (default 6)
  --list-records documented   list shipments with the documented fields only
  --label-origin other        hand out label files from a second address
`;

function whole(text: string | undefined, name: string): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d+$/.test(text)) return Number(text);
	throw new Error(`--${name} takes a whole number, not "${text}"`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '3040' },
			shipments: { type: 'string' },
			latency: { type: 'string' },
			step: { type: 'string' },
			'list-records': { type: 'string' },
			'label-origin': { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(usage);
		return;
	}
	const options: SandboxOptions = { port: whole(values.port, 'port') ?? 3040 };
	const latencyMs = whole(values.latency, 'latency');
	const stepHours = whole(values.step, 'step');
	if (latencyMs !== undefined) options.latencyMs = latencyMs;
	if (stepHours !== undefined) options.trackingStepHours = stepHours;
	if (values['list-records'] === 'documented') options.listRecords = 'documented';
	if (values['label-origin'] === 'other') options.labelOrigin = 'other';

	const sandbox = await startSandbox(options);
	const count = whole(values.shipments, 'shipments');
	if (count) sandbox.seedShipments(count, { hoursAgo: 24, spreadHours: 24 });
	console.log(greeting(sandbox.home, sandbox.url));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => console.log('\nStopped.')));
	}
}

function greeting(home: string, url: string): string {
	const { header, bearer, basic, query, signIn } = readSeed().credentials;
	return `The parcel service sandbox is running.

  Look at it      ${home}
  Base URL        ${url}

  Credentials it takes, any one of them:
    Header        ${header.name}: ${header.value}
    Bearer        ${bearer.token}
    Basic         ${basic.username} / ${basic.password}
    Query         ${query.name}=${query.value}
    Sign in       POST ${signIn.path} with ${signIn.userField} ${signIn.username} and ${signIn.passwordField} ${signIn.password},
                  then its ${signIn.tokenField} in the header ${signIn.headerName}

Next: in n8n, add a Parcel Shipping API credential with this base URL and header, then create a
shipment with carrier ANT. Or from here:

  curl -s ${url}/Carrier/Find -H '${header.name}: ${header.value}' -H 'Content-Type: application/json' -d '{}'

Ctrl+C stops it; nothing is kept.`;
}

main().catch((error: NodeJS.ErrnoException) => {
	const taken = error.code === 'EADDRINUSE';
	const advice = taken ? '\nChoose another port: npm run sandbox -- --port 3041' : `\n\n${usage}`;
	console.error(`The sandbox did not start: ${error.message}${advice}`);
	process.exitCode = 1;
});
