import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { nodeProperties, resources } from '../../../nodes/ParcelShipping/actions';
import { sentFieldNames } from '../../../nodes/ParcelShipping/orders/fields';
import { ParcelShipping } from '../../../nodes/ParcelShipping/ParcelShipping.node';

const folder = path.resolve(__dirname, '../../../nodes/ParcelShipping');
const { description } = new ParcelShipping();
const operationFields = nodeProperties.filter(({ name }) => name === 'operation');
const ids = resources.flatMap(({ value, operations }) =>
	operations.map((operation) => `${value}/${operation.value}`),
);

test('every operation has an output schema, and a file that is named like it', () => {
	const schemas = readdirSync(path.join(folder, '__schema__/v1.0.0'), { recursive: true })
		.map((file) => String(file).split(path.sep).join('/'))
		.filter((file) => file.endsWith('.json'));
	expect(schemas.sort()).toEqual(ids.map((id) => `${id}.json`).sort());
	expect(ids.filter((id) => !existsSync(path.join(folder, `actions/${id}.operation.ts`)))).toEqual(
		[],
	);
});

test('no resource changes or prints anything by default', () => {
	const defaults = operationFields.map(
		({ displayOptions, default: value }) => `${displayOptions?.show?.resource} ${value}`,
	);
	expect(defaults.join(', ')).toBe(
		'shipment getAll, batch getAll, carrier getAll, handOver getAll, label create, pickupPoint getAll, printer getAll',
	);
});

test("the hints for n8n's AI name every field of a shipment, and contain no expressions", () => {
	const hinted = nodeProperties.filter(({ builderHint }) => builderHint);
	const hints = hinted.map(({ name, builderHint }) => `${name}: ${builderHint?.propertyHint}`);
	const words = hints.find((hint) => hint.startsWith('shipment:'))?.split(/\W+/) ?? [];
	expect(sentFieldNames.filter((name) => !words.includes(name))).toEqual([]);
	expect(hints.filter((hint) => /^(resource|operation):/.test(hint))).toEqual([]);
	expect(description.builderHint?.searchHint).toMatch(/\.$/);
	expect(JSON.stringify([hints, description.builderHint])).not.toContain('={{');
});
