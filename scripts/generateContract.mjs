// Writes contract/openapi.yaml as TypeScript: types for the nodes and the sandbox, and routes and limits for
// the nodes. The sandbox reads those itself, because it shares no code with the nodes.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

import { writeFormatted } from './writeFormatted.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const heading = `// Generated from contract/openapi.yaml by scripts/generateContract.mjs. Do not edit.\n`;

// `additionalProperties: true` would become an index signature, and any misspelled field name compiles.
function withoutAdditionalProperties(value) {
	if (Array.isArray(value)) return value.map(withoutAdditionalProperties);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key, inner]) => !(key === 'additionalProperties' && inner === true))
			.map(([key, inner]) => [key, withoutAdditionalProperties(inner)]),
	);
}

const contract = parse(await readFile(join(root, 'contract/openapi.yaml'), 'utf8'));
const types = astToString(
	await openapiTS(withoutAdditionalProperties(contract), {
		rootTypes: true,
		rootTypesNoSchemaPrefix: true,
	}),
);

const routes = {};
for (const [path, item] of Object.entries(contract.paths)) {
	for (const method of ['get', 'post']) {
		if (!item[method]) continue;
		const { operationId, summary, 'x-optional': isOptional } = item[method];
		const route = { title: summary, method: method.toUpperCase(), path };
		routes[operationId] = isOptional ? { ...route, isOptional } : route;
	}
}
const { PageLength, LabelGroup } = contract.components.schemas;
const constants = `
/** Each endpoint's title, method and path in the contract. Not every service has the optional ones. */
export const routes = ${JSON.stringify(routes)} as const;

export const limits = {
	/** Maximum number of records per page. */
	pageLength: ${PageLength.maximum},
	/** How many days a print hash is valid. */
	hashValidityDays: ${LabelGroup.properties.hash['x-hash-validity-days']},
} as const;
`;

for (const [output, text] of [
	['contract/types.generated.ts', types],
	['nodes/ParcelShipping/transport/contract.generated.ts', constants],
]) {
	await writeFormatted(join(root, output), heading + text);
}
