// What a job is measured with: the workflows in workflows.yaml, and clients in code.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { mapValues } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { parse } from 'yaml';

import type { Task, Variant, Variants } from '../job';
import { bareClient, type Client } from './clients';
import type { Step } from './n8n';

const file = path.resolve(__dirname, '../workflows.yaml');
const workflows = parse(readFileSync(file, 'utf8'), { merge: true }) as Record<
	string,
	Partial<Record<Variant, Step[]>>
>;

type RunWorkflow = (items: IDataObject[]) => Promise<INodeExecutionData[]>;

/** The same task with each workflow of a job. */
export function workflowVariants(job: string, task: (run: RunWorkflow) => Task): Variants {
	return mapValues(workflows[job], (steps) => async (url: string) => {
		const { prepareWorkflow } = await import('./n8n.js');
		const text = JSON.stringify(steps).replaceAll('$URL', url);
		return task(await prepareWorkflow(url, JSON.parse(text) as Step[]));
	});
}

/** The same task with the bare client, and through n8n's request function. */
export function clientVariants(task: (client: Client) => Task): Variants {
	return {
		n8nRequests: async (url) => {
			const { n8nClient } = await import('./n8n.js');
			return task(await n8nClient(url));
		},
		bare: async (url) => task(bareClient(url)),
	};
}
