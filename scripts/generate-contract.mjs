// Writes the types of contract/openapi.yaml, once for the nodes and once for the sandbox, which
// share no code. `--check` writes nothing and exits 1 when a file on disk is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import { parse } from 'yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outputs = [
	'nodes/ParcelShipping/service/contract.generated.ts',
	'sandbox/contract.generated.ts',
];
const heading = `// Generated from contract/openapi.yaml by scripts/generate-contract.mjs. Do not edit.\n`;

// Spelled out, openness becomes an index signature, and then any misspelt field name compiles.
function withoutOpenness(value) {
	if (Array.isArray(value)) return value.map(withoutOpenness);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key, inner]) => !(key === 'additionalProperties' && inner === true))
			.map(([key, inner]) => [key, withoutOpenness(inner)]),
	);
}

const contract = parse(await readFile(join(root, 'contract/openapi.yaml'), 'utf8'));
const types = astToString(
	await openapiTS(withoutOpenness(contract), { rootTypes: true, rootTypesNoSchemaPrefix: true }),
);

let stale = 0;
for (const output of outputs) {
	const path = join(root, output);
	const options = await prettier.resolveConfig(path);
	const wanted = await prettier.format(heading + types, { ...options, filepath: path });
	const present = await readFile(path, 'utf8').catch(() => '');
	if (present === wanted) continue;
	if (process.argv.includes('--check')) {
		stale++;
		console.error(`${output} is out of date. Run: node scripts/generate-contract.mjs`);
	} else {
		await writeFile(path, wanted);
		console.log(`Wrote ${output}`);
	}
}
process.exitCode = stale > 0 ? 1 : 0;
