import { setTimeout as sleep } from 'node:timers/promises';

import { type Example, readExamples } from '../../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft } from '../../../scripts/demo/rest';
import type { E2eSetup } from './e2eSetup';

/** Reads one of the files in workflows/. */
export function example(id: string): Example {
	const found = readExamples().find((candidate) => candidate.id === id);
	if (!found) throw new Error(`No example workflow has the ID ${id}`);
	return found;
}

/** Stores an example workflow under a new ID. `change` fills in what a user has to fill in. */
export async function storeExample(
	setup: E2eSetup,
	id: string,
	change: (node: WorkflowDraft['nodes'][number]) => typeof node = (node) => node,
): Promise<StoredWorkflow> {
	const { name, nodes, connections, settings = {}, pinData = {} } = example(id);
	return await setup.store({ name, nodes: nodes.map(change), connections, settings, pinData });
}

export async function unpublish(setup: E2eSetup, { id }: StoredWorkflow): Promise<void> {
	await setup.n8n.request('POST', `/workflows/${id}/deactivate`, {});
}

/** Repeats `look` until it returns a value. */
export async function untilThereIs<Found>(
	look: () => Promise<Found | undefined>,
	withinMs = 30_000,
): Promise<Found> {
	const deadlineMs = Date.now() + withinMs;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadlineMs) throw new Error(`No result after ${withinMs / 1000} s`);
		await sleep(250);
	}
}
