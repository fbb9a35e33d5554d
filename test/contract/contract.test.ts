import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');

interface Schema {
	description?: string;
	properties?: Record<string, Schema & { $ref?: string }>;
	[keyword: string]: unknown;
}

const contract = parse(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8')) as {
	components: { schemas: Record<string, Schema> };
};
const { schemas } = contract.components;
const objects = Object.entries(schemas).filter(([, { properties }]) => properties);

test('the contract passes the recommended lint rules without errors or warnings', () => {
	const args = ['lint', 'contract/openapi.yaml', '--config=contract/redocly.yaml', '--format=json'];
	const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
	const { stdout, status } = spawnSync('redocly', args, {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, ...env },
	});
	expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([]);
	expect(status).toBe(0);
});

test('every field is described, except the result of an envelope', () => {
	const undescribed = objects.flatMap(([name, { properties = {} }]) =>
		Object.entries(properties)
			.filter(([field, schema]) => field !== 'result' && !schema.description && !schema.$ref)
			.map(([field]) => `${name}.${field}`),
	);
	expect(undescribed).toEqual([]);
	expect(objects).not.toEqual([]);
});

test('allows fields and values that the document does not list', () => {
	const closed = objects.filter(([, schema]) => schema['additionalProperties'] !== true);
	expect(closed.map(([name]) => name)).toEqual([]);
	expect(JSON.stringify(schemas)).not.toContain('"enum"');
});

test('limits pages to 100 records and hashes to 14 days', () => {
	const { PageLength, CreationEnvelope, LabelGroup } = schemas;
	expect(PageLength?.['maximum']).toBe(100);
	expect(CreationEnvelope?.properties?.['labelsHash']?.['x-hash-validity-days']).toBe(14);
	expect(LabelGroup?.properties?.['hash']?.['x-hash-validity-days']).toBe(14);
});
