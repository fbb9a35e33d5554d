// Puts the credential and the example workflows into n8n, each once: what the user changes or
// deletes afterwards stays as the user left it.
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { AccountData } from './account';
import type { Memory } from './memory';
import { type N8nRest, RestRefusal, type WorkflowDraft } from './rest';

const workflowsFolder = path.resolve(__dirname, '../../workflows');
const TYPE = 'parcelShippingApi';

/** An example as its file has it. `active: true` means that the demo publishes it. */
export interface Example extends WorkflowDraft {
	id: string;
	active?: boolean;
}

export function readExamples(folder = workflowsFolder): Example[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const example = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Example;
			// With a longer id n8n forgets what a trigger has seen.
			if (!example.id || example.id.length > 21) {
				throw new Error(`workflows/${file} needs an "id" of at most 21 characters`);
			}
			return example;
		});
}

export async function ensureCredential(
	n8n: N8nRest,
	memory: Memory,
	name: string,
	account: AccountData,
): Promise<void> {
	const content = { name, type: TYPE, data: account };
	const { baseUrl } = account;
	if (memory.credential) {
		try {
			await n8n.updateCredential(memory.credential.id, content);
			memory.credential = { ...memory.credential, baseUrl };
			return;
		} catch (error) {
			const wasDeleted = error instanceof RestRefusal && error.status === 404;
			if (!wasDeleted) throw error;
		}
	}
	const { id } = await n8n.createCredential(content);
	memory.credential = { id, baseUrl };
}

/** Imports what was not imported before; gives the names of what it published. */
export async function importExamples(
	n8n: N8nRest,
	memory: Memory,
	credentialName: string,
	{ publish }: { publish: boolean },
): Promise<void> {
	const credential = { id: memory.credential?.id ?? '', name: credentialName };
	for (const example of readExamples()) {
		if (memory.imported.includes(example.id)) continue;
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
		memory.imported.push(id);
		if (active && publish) await n8n.publish(stored);
	}
}

/** Lays the table of orders where the nightly example reads it, unless the user has one there. */
export function laySampleOrders(folder: string): void {
	const file = path.join(folder, 'orders.csv');
	if (!existsSync(file)) copyFileSync(path.join(workflowsFolder, 'samples', 'orders.csv'), file);
}

export function withCredential(
	nodes: WorkflowDraft['nodes'],
	credential: { id: string; name: string },
): WorkflowDraft['nodes'] {
	return nodes.map((node) =>
		node.credentials?.[TYPE]
			? { ...node, credentials: { ...node.credentials, [TYPE]: credential } }
			: node,
	);
}
