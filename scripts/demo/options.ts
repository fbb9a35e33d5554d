import path from 'node:path';
import { parseArgs } from 'node:util';

import { type DialectName, readDialect } from '../../sandbox';

const usage = `npm start -- [options]      (npm run dev takes the same)

  --reset           start over: delete the n8n of the last start and everything in it
  --dialect <name>  how the sandbox responds: interface (default) or documented
  --folder <path>   store n8n's data here instead of in .host
  --external-n8n <address>
                    start no n8n, and use the one at this address, of any version`;

export interface Options {
	/** Whether to rebuild and restart on each change. */
	isDev: boolean;
	reset: boolean;
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
			folder: { type: 'string' },
			'external-n8n': { type: 'string' },
			dialect: { type: 'string', default: 'interface' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return { usage };
	const externalN8n = values['external-n8n'] && new URL(values['external-n8n']).origin;
	const name = externalN8n ? externalN8n.replace(/\W+/g, '-') : 'sandbox';
	const ownFolder = path.resolve(__dirname, '../../.host', name);
	return {
		isDev: values.dev ?? false,
		reset: values.reset ?? false,
		...(externalN8n ? { externalN8n } : {}),
		dialect: readDialect(values.dialect),
		folder: values.folder ? path.resolve(values.folder) : ownFolder,
	};
}
