// Loads n8n only in the processes that use it, because it costs time and memory.
import type * as PollContext from './pollContext';
import type * as Workflow from './workflow';

export const prepareWorkflow: typeof Workflow.prepareWorkflow = async (...args) =>
	(await import('./workflow.js')).prepareWorkflow(...args);

export const createN8nClient: typeof PollContext.createN8nClient = async (...args) =>
	(await import('./pollContext.js')).createN8nClient(...args);

export const prepareTrigger: typeof PollContext.prepareTrigger = async (...args) =>
	(await import('./pollContext.js')).prepareTrigger(...args);
