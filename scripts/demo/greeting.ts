import { readExamples } from './examples';
import type { CredentialTest } from './rest';

/** Goes all the way to printed labels, with nothing to fill in. */
const FIRST_EXAMPLE = 'nightlyBatches';

export interface Running {
	n8nUrl: string;
	owner: { email: string; password: string };
	credentialName: string;
	/** What the service said to the credential. */
	test: CredentialTest;
	tookMs: number;
	isDev: boolean;
	sandboxHome?: string;
	/** Of a real account. */
	baseUrl?: string;
}

/** What a newcomer needs to know next. */
export function greeting(running: Running): string {
	const { n8nUrl, owner, sandboxHome, baseUrl, tookMs, isDev } = running;
	return [
		`Ready after ${Math.round(tookMs / 1000)} s`,
		'',
		`  n8n         ${n8nUrl}`,
		`  User        ${owner.email}`,
		`  Password    ${owner.password}`,
		sandboxHome ? `  Sandbox     ${sandboxHome}` : `  Account     ${baseUrl}`,
		'',
		...firstSteps(running),
		'',
		...aboutCredential(running),
		...(isDev ? ['A change in nodes/, credentials/ or icons/ is built and n8n restarted.'] : []),
		'Ctrl+C stops everything. What you make in n8n is there at the next start.',
	].join('\n');
}

function firstSteps({ n8nUrl, sandboxHome, baseUrl, credentialName }: Running): string[] {
	const example = readExamples().find(({ id }) => id === FIRST_EXAMPLE);
	if (example && sandboxHome) {
		return [
			`First   Open ${n8nUrl}/workflow/${example.id}`,
			`        ("${example.name}"). Sign in, press "Execute workflow".`,
			`Then    Look at ${sandboxHome}: the new shipments, their labels, the print jobs.`,
		];
	}
	return [
		`First   Sign in, open ${n8nUrl}/workflow/new and press "Add first step".`,
		`        Choose "Trigger manually", then "+" and "Parcel Shipping".`,
		`        The credential "${credentialName}" is there already.`,
		...(baseUrl
			? ['Mind    This is a real account: what you execute happens. Nothing is published.']
			: [`Then    See at ${sandboxHome} what the parcel service has in its books now.`]),
	];
}

function aboutCredential({ test }: Running): string[] {
	if (test.status === 'OK') return ['The service accepted the credential.'];
	return [`The credential does not work: ${test.message}. Correct it in n8n under Credentials.`];
}
