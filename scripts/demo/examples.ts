// Imports the credential and the example workflows into n8n. Each workflow is imported once, so the
// user's changes and deletions stay.
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readSeed } from '../../sandbox';
import type { DemoState } from './demoState';
import { PACKAGE } from './package';
import { ifNotFound, type N8nRest, type WorkflowDraft } from './rest';

const workflowsFolder = path.resolve(__dirname, '../../workflows');
const TYPE = 'parcelShippingApi';
const CREDENTIAL = 'Parcel Shipping sandbox';

/** An example as stored in its file. The demo publishes it if `active` is true. */
export interface Example extends WorkflowDraft {
	id: string;
	active?: boolean;
}

export function readExamples(): Example[] {
	return readdirSync(workflowsFolder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => JSON.parse(readFileSync(path.join(workflowsFolder, file), 'utf8')) as Example);
}

/** Creates the credential of the sandbox, or updates it. */
export async function ensureCredential(
	n8n: N8nRest,
	state: DemoState,
	baseUrl: string,
): Promise<void> {
	const { name: headerName, value: headerValue } = readSeed().credentials.header;
	const data = { baseUrl, authentication: 'header', headerName, headerValue };
	const content = { name: CREDENTIAL, type: TYPE, data };
	const { id: known } = state.credential ?? {};
	// The user may have deleted it.
	const updated = known && (await n8n.updateCredential(known, content).catch(ifNotFound));
	const { id } = updated || (await n8n.createCredential(content));
	state.credential = { id, baseUrl };
}

/** Imports the examples that have not been imported yet. */
export async function importExamples(n8n: N8nRest, state: DemoState): Promise<void> {
	const credential = { id: state.credential?.id ?? '', name: CREDENTIAL };
	for (const example of readExamples()) {
		if (state.imported.includes(example.id)) continue;
		const { id, name, connections, settings, pinData, meta, active } = example;
		const stored = await n8n.createWorkflow({
			id,
			name,
			nodes: withCredential(example.nodes, credential),
			connections,
			settings: settings ?? {},
			...(pinData ? { pinData } : {}),
			...(meta ? { meta } : {}),
		});
		state.imported.push(id);
		if (active) await n8n.publish(stored);
	}
}

/** Copies the files that examples read to where n8n may read them. Keeps existing files. */
export function copySampleFiles(folder: string): void {
	for (const name of ['orders.csv', 'bank.csv']) {
		const file = path.join(folder, name);
		if (!existsSync(file)) copyFileSync(path.join(workflowsFolder, 'samples', name), file);
	}
}

/** The nodes of the package with a credential, and other nodes that have one of its type. */
export function withCredential(
	nodes: WorkflowDraft['nodes'],
	credential: { id: string; name: string },
): WorkflowDraft['nodes'] {
	return nodes.map((node) =>
		node.type.startsWith(`${PACKAGE}.`) || node.credentials?.[TYPE]
			? { ...node, credentials: { ...node.credentials, [TYPE]: credential } }
			: node,
	);
}
