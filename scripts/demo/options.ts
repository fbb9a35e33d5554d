import path from 'node:path';
import { parseArgs } from 'node:util';

import { readAddress } from './account';

const usage = `npm start -- [options]      (npm run dev takes the same)

  --reset           begin anew: forget the n8n of the last start and all that is in it
  --url <address>   use a real account at this Base URL instead of the sandbox; asks for the secret
  --folder <path>   keep n8n's data here instead of in .host`;

export interface Options {
	/** Rebuild and restart on change. */
	isDev: boolean;
	reset: boolean;
	/** The Base URL of a real account. */
	url?: string;
	folder: string;
}

export function readOptions(args: string[]): Options | { usage: string } {
	const { values } = parseArgs({
		args,
		options: {
			dev: { type: 'boolean' },
			reset: { type: 'boolean' },
			url: { type: 'string' },
			folder: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return { usage };
	// Two n8n: what was tried in the sandbox must not find a real account one day.
	const ownFolder = path.resolve(__dirname, '../../.host', values.url ? 'account' : 'sandbox');
	return {
		isDev: values.dev ?? false,
		reset: values.reset ?? false,
		...(values.url === undefined ? {} : { url: readAddress(values.url) }),
		folder: values.folder ? path.resolve(values.folder) : ownFolder,
	};
}
