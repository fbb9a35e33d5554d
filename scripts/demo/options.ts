import path from 'node:path';
import { parseArgs } from 'node:util';

import { type DialectName, readDialect } from '../../sandbox';

const usage = `npm start -- [options]

  --reset           start over: delete the n8n of the last start and everything in it
  --dialect <name>  how the sandbox responds: interface (default) or documented
  --folder <path>   store n8n's data here instead of in .host`;

export interface Options {
	reset: boolean;
	folder: string;
	/** How the sandbox responds. */
	dialect: DialectName;
}

export function readOptions(args: string[]): Options | { usage: string } {
	const { values } = parseArgs({
		args,
		options: {
			reset: { type: 'boolean' },
			folder: { type: 'string', default: path.resolve(__dirname, '../../.host/sandbox') },
			dialect: { type: 'string', default: 'interface' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return { usage };
	return {
		reset: values.reset ?? false,
		dialect: readDialect(values.dialect),
		folder: path.resolve(values.folder),
	};
}
