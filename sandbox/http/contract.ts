import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { operations } from '../../contract/types.generated';

export type OperationId = keyof operations;

type Node = Record<string, unknown>;

export type Check = (value: unknown) => string[];

export interface OperationContract {
	method: string;
	/** As in the contract: /{carrier_code}/Tracking */
	path: string;
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
	ajv.addSchema({ $id: 'contract', ...document });

	/** Of a request body or a response, which may itself be a reference. */
	const checkOf = (holder: unknown, ...keys: string[]): Check => {
		if (!holder) return () => [];
		const own = `#/${keys.map((key) => encodeURIComponent(key.replaceAll('/', '~1'))).join('/')}`;
		const { $ref = own } = holder as { $ref?: string };
		const validate = ajv.compile({ $ref: `contract${$ref}/content/application~1json/schema` });
		return (value) =>
			validate(value)
				? []
				: (validate.errors ?? []).map(
						({ instancePath, message = 'is invalid' }) => `${instancePath || '(body)'} ${message}`,
					);
	};
	const contract: Partial<Contract> = {};
	for (const [path, item] of Object.entries(document['paths'] as Record<string, Node>)) {
		for (const [method, each] of Object.entries(item)) {
			const { operationId, requestBody, responses, 'x-optional': isOptional } = each as Node;
			if (!operationId) continue;
			contract[operationId as OperationId] = {
				method: method.toUpperCase(),
				path,
				isOptional: isOptional === true,
				body: checkOf(requestBody, 'paths', path, method, 'requestBody'),
				response: checkOf((responses as Node)['200'], 'paths', path, method, 'responses', '200'),
			};
		}
	}
	return contract as Contract;
}
