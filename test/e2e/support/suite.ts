// All test files share one real n8n, with the package installed from its tarball.
import type { Owner } from '../../../scripts/demo/n8n';

export interface Suite {
	url: string;
	owner: Owner;
	/** n8n's user folder. */
	folder: string;
	/** The folder in which workflows may read and write files. */
	files: string;
	/** The session of the owner. It is shared, because n8n limits sign-ins per minute. */
	headers: Readonly<Record<string, string>>;
}

const VARIABLE = 'E2E_SUITE';

export function shareSuite(suite: Suite): void {
	process.env[VARIABLE] = JSON.stringify(suite);
}

export function readSuite(): Suite {
	const shared = process.env[VARIABLE];
	if (!shared) throw new Error('These tests need a running n8n. Run them with: npm run test:e2e');
	return JSON.parse(shared) as Suite;
}
