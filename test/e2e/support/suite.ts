// What all files of the suite share: one real n8n with the package installed from its tarball.
import type { Owner } from '../../../scripts/demo/n8n';

export interface Suite {
	url: string;
	owner: Owner;
	/** n8n's user folder. */
	folder: string;
	/** Where workflows may read and write files. */
	files: string;
	/** The session of the owner: n8n takes few sign-ins a minute. */
	headers: Readonly<Record<string, string>>;
}

const VARIABLE = 'E2E_SUITE';

export function shareSuite(suite: Suite): void {
	process.env[VARIABLE] = JSON.stringify(suite);
}

export function theSuite(): Suite {
	const shared = process.env[VARIABLE];
	if (!shared) throw new Error('These tests run in the real n8n: npm run test:e2e');
	return JSON.parse(shared) as Suite;
}
