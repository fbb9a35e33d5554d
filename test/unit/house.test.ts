import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** Files below `folder` whose text has `pattern`, as paths from the root. */
function filesWith(pattern: RegExp, folder: string): string[] {
	return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => path.join(folder, file))
		.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
		.sort();
}

describe('The rules of the house that imports alone do not show', () => {
	test("only one module calls n8n's HTTP functions", () => {
		expect(filesWith(/helpers\s*\.\s*(httpRequest|request)/, 'nodes')).toEqual([
			'nodes/ParcelShipping/transport/client.ts',
		]);
	});

	test('only one module asks what may be sent again', () => {
		expect(filesWith(/\bdecideRetry\(/, 'nodes')).toEqual([
			'nodes/ParcelShipping/transport/client.ts',
			'nodes/ParcelShipping/transport/retry.ts',
		]);
	});

	test('only one module makes n8n errors', () => {
		expect(filesWith(/new Node(Api|Operation)Error\(/, 'nodes')).toEqual([
			'nodes/ParcelShipping/transport/nodeErrors.ts',
		]);
	});

	test('what is pure has neither a clock nor chance of its own', () => {
		const pure = ['creation', 'tracking'].map((room) => `nodes/ParcelShipping/${room}`);
		const present = pure.filter((room) =>
			readdirSync(path.join(root, 'nodes/ParcelShipping')).includes(path.basename(room)),
		);
		expect(
			present.flatMap((room) =>
				filesWith(
					/Date\.now\(|new Date\(\)|DateTime\.(now|local|utc)\(\)|Math\.random\(|\bsleep\(/,
					room,
				),
			),
		).toEqual([]);
	});
});
