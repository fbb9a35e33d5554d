import { readExamples } from './examples';
import type { CredentialTest } from './rest';

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
	// One that brings its own order along: nothing has to be set up or called before it runs.
	const example = readExamples().find(({ pinData }) => Object.keys(pinData ?? {}).length > 0);
	if (example && sandboxHome) {
		return [
			`First   Sign in and open ${n8nUrl}/workflow/${example.id}`,
			`        ("${example.name}"). Press "Execute workflow".`,
			`Then    See at ${sandboxHome} what the parcel service has in its books now.`,
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
