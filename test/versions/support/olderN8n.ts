import { createOwner, type N8n, type Owner, startN8n } from '../../../scripts/demo/n8n';
import { SHORT_LEASE } from '../../e2e/support/killableN8n';
import { JSON_ONCE, type N8nRest, RestError, signIn } from '../../../scripts/demo/rest';

/** n8n accepts only a password with a capital letter when a user creates the owner. */
export const newOwner = (): Owner => createOwner('versions@example.com', 'Parcel-versions-1');

/** Starts an n8n of any version and signs in. */
export async function startVersion(
	folder: string,
	owner: Owner,
	port: number,
): Promise<{ n8n: N8n; rest: N8nRest }> {
	// n8n does not start if it does not know a module that is disabled.
	const env = { ...SHORT_LEASE, N8N_DISABLED_MODULES: '' };
	const n8n = await startN8n({ folder, owner, port, env });
	await createOwnerIn(n8n.url, owner);
	return { n8n, rest: await signIn(n8n.url, owner) };
}

/** Older versions do not read the owner from the environment. */
async function createOwnerIn(url: string, { email, password }: Owner): Promise<void> {
	const settings = (await (
		await fetch(`${url}/rest/settings`, { headers: JSON_ONCE })
	).json()) as Settings;
	if (!settings.data.userManagement.showSetupOnFirstLoad) return;
	const answer = await fetch(`${url}/rest/owner/setup`, {
		method: 'POST',
		headers: JSON_ONCE,
		body: JSON.stringify({ email, password, firstName: 'Versions', lastName: 'Owner' }),
	});
	if (!answer.ok) throw new RestError(answer.status, 'the owner', await answer.text());
}

interface Settings {
	data: { userManagement: { showSetupOnFirstLoad: boolean } };
}
