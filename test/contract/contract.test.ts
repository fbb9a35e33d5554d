import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '../..');

interface Schema {
	description?: string;
	properties?: Record<string, Schema & { $ref?: string }>;
	additionalProperties?: boolean;
}

const text = readFileSync(join(root, 'contract/openapi.yaml'), 'utf8');
const { components } = parse(text) as { components: { schemas: Record<string, Schema> } };
const objects = Object.entries(components.schemas).filter(([, { properties }]) => properties);

test('the contract passes the recommended lint rules without errors or warnings', () => {
	const args = ['lint', 'contract/openapi.yaml', '--config=contract/redocly.yaml', '--format=json'];
	const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
	const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } } as const;
	const { stdout, status } = spawnSync('redocly', args, options);
	expect([JSON.parse(stdout), status]).toMatchObject([{ problems: [] }, 0]);
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
	const closed = objects.filter(([, schema]) => schema.additionalProperties !== true);
	expect(closed.map(([name]) => name)).toEqual([]);
	expect(JSON.stringify(components)).not.toContain('"enum"');
});
