import path from 'node:path';
import { parseArgs } from 'node:util';

import { type DialectName, readDialect } from '../../sandbox';
import { readAddress } from './account';

const usage = `npm start -- [options]      (npm run dev takes the same)

  --reset           start over: delete the n8n of the last start and everything in it
  --url <address>   use a real account with this Base URL instead of the sandbox; asks for the secret
  --dialect <name>  how the sandbox responds: interface (default) or documented
  --folder <path>   store n8n's data here instead of in .host
  --external-n8n <address>
                    start no n8n, and use the one at this address, of any version`;

export interface Options {
	/** Whether to rebuild and restart on each change. */
	isDev: boolean;
	reset: boolean;
	/** The Base URL of a real account. */
	url?: string;
	folder: string;
	/** The address of an n8n that runs already. */
	externalN8n?: string;
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
			'external-n8n': { type: 'string' },
			dialect: { type: 'string', default: 'interface' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return { usage };
	const externalN8n = values['external-n8n'] && new URL(values['external-n8n']).origin;
	if (externalN8n && values.url) {
		throw new Error(
			'--external-n8n uses the sandbox. For a real account, create its credential in n8n',
		);
	}
	// Separate folders, so that workflows made for the sandbox never use a real account.
	const name = externalN8n ? externalN8n.replace(/\W+/g, '-') : values.url ? 'account' : 'sandbox';
	const ownFolder = path.resolve(__dirname, '../../.host', name);
	return {
		isDev: values.dev ?? false,
		reset: values.reset ?? false,
		...(values.url === undefined ? {} : { url: readAddress(values.url) }),
		...(externalN8n ? { externalN8n } : {}),
		dialect: readDialect(values.dialect),
		folder: values.folder ? path.resolve(values.folder) : ownFolder,
	};
}
