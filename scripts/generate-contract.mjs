// Writes what contract/openapi.yaml says as TypeScript: types for the nodes and for the sandbox, which
// share no code, and for the nodes the routes and limits as well. `--check` writes nothing and exits 1 when a file on disk is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import { parse } from 'yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NODES = 'nodes/ParcelShipping/transport/contract.generated.ts';
const SANDBOX = 'sandbox/contract.generated.ts';
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

const routes = {};
for (const [path, item] of Object.entries(contract.paths)) {
	for (const method of ['get', 'post']) {
		if (!item[method]) continue;
		const { operationId, summary } = item[method];
		routes[operationId] = { title: summary, method: method.toUpperCase(), path };
	}
}
const { PageLength, LabelGroup } = contract.components.schemas;
const facts = `
/** What the contract calls each endpoint, and where it is. */
export const routes = ${JSON.stringify(routes)} as const;

export const limits = {
	/** The most records that one page holds. */
	pageLength: ${PageLength.maximum},
	/** How long a print hash can be used. */
	hashValidityDays: ${LabelGroup.properties.hash['x-hash-validity-days']},
} as const;
`;

let stale = 0;
for (const [output, text] of [
	[NODES, types + facts],
	[SANDBOX, types],
]) {
	const path = join(root, output);
	const options = await prettier.resolveConfig(path);
	const wanted = await prettier.format(heading + text, { ...options, filepath: path });
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
