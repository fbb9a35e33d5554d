// Fills in the field lists of the mappings in the example workflows, as n8n saves them. Without such
// a list, the editor shows fields that are not sent and hides fields that are. Removes credentials: n8n
// selects the user's own one on import if there is only one, but not if the file names another one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { mapperFields } from '../nodes/ParcelShipping/methods/resourceMapping';
import { writeFormatted } from './writeFormatted';

const root = path.resolve(__dirname, '..');

interface Mapping {
	mappingMode: 'defineBelow' | 'autoMapInputData';
	value: Record<string, unknown> | null;
	schema?: unknown[];
}

interface ExampleFile {
	nodes: Array<{
		type: string;
		parameters: { shipment?: Mapping; overrides?: Mapping };
		credentials?: object;
	}>;
}

/** Shows exactly the fields that the mapping sends, and the required ones. */
export function schemaOf({ mappingMode, value }: Mapping): unknown[] {
	if (mappingMode === 'autoMapInputData') return mapperFields();
	return mapperFields().map((field) => ({
		...field,
		removed: !field.required && !(field.id in (value ?? {})),
	}));
}

/** Fills in the field lists of a workflow's *Create* nodes, and removes credentials from all nodes. */
function fillIn({ nodes }: ExampleFile): void {
	for (const node of nodes) {
		delete node.credentials;
		if (!/\.parcelShipping(Tool)?$/.test(node.type)) continue;
		const { shipment, overrides } = node.parameters;
		if (shipment) shipment.schema = schemaOf(shipment);
		if (overrides) overrides.schema = mapperFields(Object.keys(overrides.value ?? {}), false);
	}
}

export const exampleFiles = [
	...readdirSync(path.join(root, 'workflows'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => `workflows/${file}`),
	'docs/scaling/kept-orders.json',
];

export async function generate(): Promise<void> {
	for (const name of exampleFiles) {
		const file = path.join(root, name);
		const workflow = JSON.parse(readFileSync(file, 'utf8')) as ExampleFile;
		fillIn(workflow);
		await writeFormatted(file, JSON.stringify(workflow, null, 2));
	}
}
