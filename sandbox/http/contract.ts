import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { operations } from '../contract.generated';

export type OperationId = keyof operations;

type Node = Record<string, unknown>;

/** Returns the contract violations of a value. */
export type Check = (value: unknown) => string[];

export interface OperationContract {
	method: 'GET' | 'POST';
	/** As in the contract: /{carrier_code}/Tracking */
	path: string;
	/** Not every service has it. */
	isOptional: boolean;
	body: Check;
	response: Check;
}

export type Contract = Record<OperationId, OperationContract>;

let known: Contract | undefined;

/** Read once, because compiling the schemas takes longer than the rest of starting a sandbox. */
export function readContract(): Contract {
	return (known ??= compileContract());
}

function compileContract(): Contract {
	const path = join(__dirname, '..', '..', 'contract', 'openapi.yaml');
	const document = parse(readFileSync(path, 'utf8')) as Node;
	const ajv = new Ajv2020({ allErrors: true, strict: false });
	addFormats(ajv);
	ajv.addSchema({ $id: 'contract', components: document['components'] });

	const contract: Partial<Contract> = {};
	for (const [url, item] of Object.entries(document['paths'] as Record<string, Node>)) {
		for (const method of ['get', 'post'] as const) {
			const operation = item[method] as Node | undefined;
			if (!operation) continue;
			const response = (operation['responses'] as Node)['200'];
			contract[operation['operationId'] as OperationId] = {
				method: method === 'get' ? 'GET' : 'POST',
				path: url,
				isOptional: operation['x-optional'] === true,
				body: checkOf(operation['requestBody'], document, ajv),
				response: checkOf(response, document, ajv),
			};
		}
	}
	return contract as Contract;
}

function checkOf(bodyOrResponse: unknown, document: Node, ajv: Ajv2020): Check {
	if (!bodyOrResponse) return () => [];
	const holder = resolve(bodyOrResponse as Node, document);
	const schema = at(holder, 'content', 'application/json', 'schema');
	const text = JSON.stringify(schema).replaceAll('"#/components', '"contract#/components');
	const validate = ajv.compile(JSON.parse(text) as Node);
	return (value) => (validate(value) ? [] : problemsOf(validate));
}

function resolve(node: Node, document: Node): Node {
	const reference = node['$ref'];
	return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : node;
}

function at(node: Node, ...keys: string[]): Node {
	return keys.reduce((inner, key) => inner[key] as Node, node);
}

function problemsOf(validate: ValidateFunction): string[] {
	return (validate.errors ?? []).map((error) =>
		`${error.instancePath || '(body)'} ${error.message ?? 'is invalid'}`.trim(),
	);
}
