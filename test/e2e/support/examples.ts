import { setTimeout as sleep } from 'node:timers/promises';

import { type Example, readExamples } from '../../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft } from '../../../scripts/demo/rest';
import type { Bench } from './bench';

/** One of the files in workflows/. */
export function example(id: string): Example {
	const found = readExamples().find((candidate) => candidate.id === id);
	if (!found) throw new Error(`There is no example workflow ${id}`);
	return found;
}

/** Stores it as its file has it, under an id of its own; `change` is for what a user has to fill in. */
export async function storeExample(
	bench: Bench,
	id: string,
	change: (node: WorkflowDraft['nodes'][number]) => typeof node = (node) => node,
): Promise<StoredWorkflow> {
	const { name, nodes, connections, settings = {}, pinData = {} } = example(id);
	return await bench.store({ name, nodes: nodes.map(change), connections, settings, pinData });
}

export async function unpublish(bench: Bench, { id }: StoredWorkflow): Promise<void> {
	await bench.n8n.request('POST', `/workflows/${id}/deactivate`, {});
}

/** Looks again and again for what n8n does in its own time. */
export async function untilThereIs<Found>(
	look: () => Promise<Found | undefined>,
	withinMs = 30_000,
): Promise<Found> {
	const deadlineMs = Date.now() + withinMs;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadlineMs) throw new Error(`It did not come within ${withinMs / 1000} s`);
		await sleep(250);
	}
}
