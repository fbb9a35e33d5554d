import type { ILoadOptionsFunctions } from 'n8n-workflow';

/** The code chosen in a locator of the form; undefined while an expression has no value yet. */
export function readChosen(caller: ILoadOptionsFunctions, field: string): string | undefined {
	const chosen = caller.getCurrentNodeParameter(field, { extractValue: true });
	return typeof chosen === 'string' && chosen !== '' && !chosen.startsWith('=')
		? chosen
		: undefined;
}
