// Writes contract/openapi.yaml as TypeScript: types for the nodes and the sandbox, and routes and limits for
// the nodes. The sandbox reads those itself, because it shares no code with the nodes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { OpenAPI3 } from 'openapi-typescript';
import { parse } from 'yaml';

import { writeFormatted } from './writeFormatted';

const root = path.resolve(__dirname, '..');
const heading = `// Generated from contract/openapi.yaml by scripts/generateContract.ts. Do not edit.\n`;

type Json = Record<string, unknown>;

interface Contract {
	paths: Record<string, Partial<Record<'get' | 'post', Json>>>;
	components: {
		schemas: {
			PageLength: { maximum: number };
			LabelGroup: { properties: { hash: Json } };
		};
	};
}

// `additionalProperties: true` would become an index signature, and any misspelled field name compiles.
const readContract = (text: string) =>
	parse(text, (key, value: unknown) =>
		key === 'additionalProperties' && value === true ? undefined : value,
	) as Contract & OpenAPI3;

export async function generate(): Promise<void> {
	const contract = readContract(await readFile(path.join(root, 'contract/openapi.yaml'), 'utf8'));
	const { default: openapiTS, astToString } = await import('openapi-typescript');
	const options = { rootTypes: true, rootTypesNoSchemaPrefix: true };
	const types = astToString(await openapiTS(contract, options));

	const operations = Object.entries(contract.paths).flatMap(([route, { get, post }]) =>
		Object.entries({ GET: get, POST: post }).flatMap(([method, operation]) =>
			operation ? [{ ...operation, method, path: route }] : [],
		),
	) as Array<Json & { operationId: string; method: string; path: string }>;
	const routes = Object.fromEntries(
		operations.map(({ operationId, summary, 'x-optional': isOptional, method, path: route }) => [
			operationId,
			{ title: summary, method, path: route, ...(isOptional ? { isOptional } : {}) },
		]),
	);
	const { PageLength, LabelGroup } = contract.components.schemas;
	const constants = `
/** Each endpoint's title, method and path in the contract. Not every provider has the optional ones. */
export const routes = ${JSON.stringify(routes)} as const;

export const limits = {
	/** Maximum number of records per page. */
	pageLength: ${PageLength.maximum},
	/** How many days a print hash is valid. */
	hashValidityDays: ${String(LabelGroup.properties.hash['x-hash-validity-days'])},
} as const;
`;
	await writeFormatted(path.join(root, 'contract/types.generated.ts'), heading + types);
	await writeFormatted(
		path.join(root, 'nodes/ParcelShipping/transport/contract.generated.ts'),
		heading + constants,
	);
}
