import path from 'node:path';
import { parseArgs } from 'node:util';

import { type DialectName, readDialect } from '../../sandbox';
import { readAddress } from './account';

const usage = `npm start -- [options]      (npm run dev takes the same)

  --reset           start over: delete the n8n of the last start and everything in it
  --url <address>   use a real account with this Base URL instead of the sandbox; asks for the secret
  --dialect <name>  how the sandbox responds: interface (default) or documented
  --folder <path>   store n8n's data here instead of in .host`;

export interface Options {
	/** Whether to rebuild and restart on each change. */
	isDev: boolean;
	reset: boolean;
	/** The Base URL of a real account. */
	url?: string;
	folder: string;
	/** How the sandbox responds. */
	dialect: DialectName;
}

export function readOptions(args: string[]): Options | { usage: string } {
	const { values } = parseArgs({
		args,
		options: {
			dev: { type: 'boolean' },
			reset: { type: 'boolean' },
			url: { type: 'string' },
			folder: { type: 'string' },
			dialect: { type: 'string', default: 'interface' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return { usage };
	// Separate folders, so that workflows made for the sandbox never use a real account.
	const ownFolder = path.resolve(__dirname, '../../.host', values.url ? 'account' : 'sandbox');
	return {
		isDev: values.dev ?? false,
		reset: values.reset ?? false,
		...(values.url === undefined ? {} : { url: readAddress(values.url) }),
		dialect: readDialect(values.dialect),
		folder: values.folder ? path.resolve(values.folder) : ownFolder,
	};
}
