// n8n is loaded only in the processes that use it: it would take time and memory in the others.
import type * as Engine from './engine';
import type * as Poll from './poll';
import type * as Requests from './requests';

export const prepareWorkflow: typeof Engine.prepareWorkflow = async (...args) =>
	(await import('./engine.js')).prepareWorkflow(...args);

export const requestsOfN8n: typeof Requests.requestsOfN8n = async (...args) =>
	(await import('./requests.js')).requestsOfN8n(...args);

export const prepareTrigger: typeof Poll.prepareTrigger = async (...args) =>
	(await import('./poll.js')).prepareTrigger(...args);
