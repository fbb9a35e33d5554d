// `npm start -- --external-n8n <address>`: for an n8n that runs already, such as n8n 3 in a container.
// Prepares the package, the sandbox and the examples, and says how they get into that n8n.
import path from 'node:path';

import { askForSignIn, sandboxAccount } from './account';
import { saveState, type DemoState } from './demoState';
import { ensureCredential, importExamples } from './examples';
import type { Options } from './options';
import { installPackage, PACKAGE } from './package';
import { signIn } from './rest';

export const CREDENTIAL = 'Parcel Shipping sandbox';

export interface ExternalDemo extends Options {
	externalN8n: string;
}

export async function prepareExternalN8n(
	{ folder, externalN8n }: ExternalDemo,
	state: DemoState,
	sandbox: { url: string; home: string },
): Promise<void> {
	await installPackage(folder);
	const account = sandboxAccount(sandbox.url);
	console.log(`
The package is built, and the sandbox runs. n8n needs the package in its user folder. In a container on
this computer, mount it and use the network of the computer, so that n8n reaches the sandbox:

  docker run --rm --network host \\
    -v ${path.join(folder, '.n8n/nodes')}:/home/node/.n8n/nodes docker.n8n.io/n8nio/n8n

Without a container, copy ${path.join(folder, '.n8n/nodes/node_modules', PACKAGE)}
to .n8n/nodes/node_modules/ in n8n's user folder. Then restart n8n.

  Sandbox     ${sandbox.home}
  Credential  Base URL ${account.baseUrl}, API Key in Header,
              ${account.headerName}: ${account.headerValue}
  Examples    ${path.resolve(__dirname, '../../workflows')}
`);
	const user = await askForSignIn(externalN8n);
	if (!user) {
		console.log('Create the credential in n8n, and import an example under ⋯ → Import from file.');
		return;
	}
	const rest = await signIn(externalN8n, user);
	await ensureCredential(rest, state, CREDENTIAL, account);
	saveState(folder, state);
	await importExamples(rest, state, CREDENTIAL, { publish: false }).finally(() =>
		saveState(folder, state),
	);
	console.log(`The credential "${CREDENTIAL}" and the examples are in ${externalN8n}.`);
}
