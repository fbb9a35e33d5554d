import { readExamples } from './examples';
import type { CredentialTest } from './rest';

/** Prints labels with nothing to fill in first. */
const FIRST_EXAMPLE = 'nightlyBatches';

export interface ReadyDemo {
	n8nUrl: string;
	owner: { email: string; password: string };
	credentialName: string;
	credentialTest: CredentialTest;
	tookMs: number;
	isDev: boolean;
	sandboxHome?: string;
	/** The Base URL of a real account. */
	baseUrl?: string;
}

/** Where everything is, and what to try first. */
export function readyMessage(demo: ReadyDemo): string {
	const { n8nUrl, owner, sandboxHome, baseUrl, tookMs, isDev } = demo;
	return [
		`Ready after ${Math.round(tookMs / 1000)} s`,
		'',
		`  n8n         ${n8nUrl}`,
		`  User        ${owner.email}`,
		`  Password    ${owner.password}`,
		sandboxHome ? `  Sandbox     ${sandboxHome}` : `  Account     ${baseUrl}`,
		'',
		...firstSteps(demo),
		'',
		...credentialStatus(demo),
		...(isDev ? ['Each change in nodes/, credentials/ or icons/ rebuilds and restarts n8n.'] : []),
		'Ctrl+C stops everything. The next start keeps your workflows.',
	].join('\n');
}

function firstSteps({ n8nUrl, sandboxHome, baseUrl, credentialName }: ReadyDemo): string[] {
	const example = readExamples().find(({ id }) => id === FIRST_EXAMPLE);
	if (example && sandboxHome) {
		return [
			`First   Open ${n8nUrl}/workflow/${example.id}`,
			`        ("${example.name}"). Sign in and select "Execute workflow".`,
			`Then    Open ${sandboxHome} to see the new shipments, labels and print jobs.`,
		];
	}
	return [
		`First   Sign in, open ${n8nUrl}/workflow/new and select "Add first step".`,
		`        Choose "Trigger manually", then "+" and "Parcel Shipping".`,
		`        The credential "${credentialName}" already exists.`,
		...(baseUrl
			? ['Note    This account is real: executing a workflow creates real shipments.']
			: [`Then    Open ${sandboxHome} to see the shipments, batches and print jobs.`]),
	];
}

function credentialStatus({ credentialTest }: ReadyDemo): string[] {
	if (credentialTest.status === 'OK') return ['The service accepted the credential.'];
	return [
		`The credential does not work: ${credentialTest.message}. Fix it in n8n under Credentials.`,
	];
}
