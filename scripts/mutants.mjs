// `npm run test:mutants`: changes the code in many small ways, one at a time, and lists the changes that
// no test notices.
//
// - Without a name: the files that must not lose or repeat shipments and events.
// - `-- creation/match`, `-- labels`: a file or a folder.
// - `-- --sample 300 --seed 7`: changes drawn at random from all files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { installIfNeeded, root, run } from './install.mjs';

/** The code that keeps shipments and events from getting lost or repeated. */
const CORE = [
	'writes/journal',
	'writes/writeOnce',
	'creation/match',
	'tracking/compare',
	'tracking/periods',
	'tracking/state',
	'transport/response',
	'transport/retry',
];

/** Tests must notice at least this share of the changes, in percent. */
const MINIMUM_OF_CORE_FILE = 95;
const MINIMUM_OF_SAMPLE = 85;

const SOURCE = 'nodes/ParcelShipping';
const REPORTS = '.cache/mutants';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: 'string' },
		seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
		force: { type: 'boolean', default: false },
	},
});

function patternOf(target) {
	const source = `${SOURCE}/${target.replace(/(\.ts|\/)$/, '')}`;
	if (existsSync(path.join(root, `${source}.ts`))) return `${source}.ts`;
	if (existsSync(path.join(root, source))) return `${source}/**/!(*.generated).ts`;
	throw new Error(`No ${source}`);
}

/** Writes the drawn changes to a file, which Stryker's configuration and its checker read. */
async function writeSample(count, seed) {
	const { drawMutants } = await import('./mutants/draw.mjs');
	const drawn = await drawMutants(path.join(root, SOURCE), count, seed);
	const file = path.join(root, REPORTS, 'drawn.json');
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(drawn));
	return file;
}

async function test(name, env) {
	await run('stryker', ['run', 'scripts/mutants/stryker.config.mjs'], {
		env: { ...env, MUTANTS_REPORT: `${REPORTS}/${name}`, MUTANTS_FORCE: values.force ? '1' : '' },
	});
	const { files } = JSON.parse(readFileSync(path.join(root, REPORTS, `${name}.json`), 'utf8'));
	return Object.entries(files).map(([file, { mutants }]) => ({ file, mutants }));
}

/** Says the share of noticed changes, and whether it is enough. */
function isEnough(name, mutants, minimum) {
	const countOf = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
	const noticed = countOf('Killed', 'Timeout');
	const all = noticed + countOf('Survived', 'NoCoverage');
	const share = (100 * noticed) / all;
	console.log(
		`${name}: ${noticed} of ${all} changes noticed, ${share.toFixed(1)}% (minimum ${minimum}%)`,
	);
	return share >= minimum;
}

try {
	await installIfNeeded();
	// It takes long, so it leaves the processor to everything else.
	setPriority(15);
	let passed;
	if (values.sample) {
		console.log(`${values.sample} changes drawn with --seed ${values.seed}`);
		const env = { MUTANTS_DRAWN: await writeSample(Number(values.sample), values.seed) };
		const mutants = (await test('sample', env)).flatMap((file) => file.mutants);
		passed = isEnough(`Sample with --seed ${values.seed}`, mutants, MINIMUM_OF_SAMPLE);
	} else {
		const targets = positionals.length > 0 ? positionals : CORE;
		const patterns = targets.map(patternOf);
		const core = CORE.map(patternOf);
		const name = positionals.length > 0 ? positionals.join('+').replaceAll('/', '-') : 'core';
		const files = await test(name, { MUTANTS_FILES: JSON.stringify(patterns) });
		passed = files
			.map(({ file, mutants }) =>
				isEnough(file, mutants, core.includes(file) ? MINIMUM_OF_CORE_FILE : 0),
			)
			.every(Boolean);
	}
	if (!passed) throw new Error('Too many changes were not noticed');
} catch (error) {
	console.error(`\n${error.message}`);
	process.exit(1);
}
