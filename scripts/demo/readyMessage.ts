import { readExamples } from './examples';
import type { CredentialTest } from './rest';

/** Prints labels with nothing to fill in first. */
const FIRST_EXAMPLE = 'nightlyBatches';

export interface ReadyDemo {
	n8nUrl: string;
	owner: { email: string; password: string };
	credentialTest: CredentialTest;
	tookMs: number;
	isDev: boolean;
	sandboxHome: string;
}

/** Where everything is, and what to try first. */
export function readyMessage(demo: ReadyDemo): string {
	const { n8nUrl, owner, sandboxHome, tookMs, isDev } = demo;
	return [
		`Ready after ${Math.round(tookMs / 1000)} s`,
		'',
		`  n8n         ${n8nUrl}`,
		`  User        ${owner.email}`,
		`  Password    ${owner.password}`,
		`  Sandbox     ${sandboxHome}`,
		'',
		...firstSteps(demo),
		'',
		...credentialStatus(demo),
		...(isDev ? ['Each change in nodes/, credentials/ or icons/ rebuilds and restarts n8n.'] : []),
		'Ctrl+C stops everything. The next start keeps your workflows.',
	].join('\n');
}

function firstSteps({ n8nUrl, sandboxHome }: ReadyDemo): string[] {
	const example = readExamples().find(({ id }) => id === FIRST_EXAMPLE);
	return [
		`First   Open ${n8nUrl}/workflow/${FIRST_EXAMPLE}`,
		`        ("${example?.name}"). Sign in and select "Execute workflow".`,
		`Then    Open ${sandboxHome} to see the new shipments, labels and print jobs.`,
	];
}

function credentialStatus({ credentialTest }: ReadyDemo): string[] {
	if (credentialTest.status === 'OK') return ['The service accepted the credential.'];
	return [
		`The credential does not work: ${credentialTest.message}. Fix it in n8n under Credentials.`,
	];
}
