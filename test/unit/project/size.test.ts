import { readdirSync } from 'node:fs';
import path from 'node:path';

import { filesIn, read, root } from '../../support/projectFiles';

/**
 * At most so many hand-written lines and files. Whoever needs more room changes the number in the same commit, and says
 * what a user gains.
 */
const LIMITS: Readonly<Record<string, { lines: number; files: number }>> = {
	'nodes/ParcelShipping/actions': { lines: 1147, files: 19 },
	'nodes/ParcelShipping/changes': { lines: 600, files: 3 },
	'nodes/ParcelShipping/creation': { lines: 1838, files: 15 },
	'nodes/ParcelShipping/descriptions': { lines: 903, files: 7 },
	'nodes/ParcelShipping/labels': { lines: 496, files: 3 },
	'nodes/ParcelShipping/methods': { lines: 167, files: 2 },
	'nodes/ParcelShipping/orders': { lines: 1499, files: 9 },
	'nodes/ParcelShipping/tracking': { lines: 1513, files: 9 },
	'nodes/ParcelShipping/transport': { lines: 1911, files: 10 },
	'nodes/ParcelShipping/writes': { lines: 170, files: 3 },
	bench: { lines: 1174, files: 17 },
	credentials: { lines: 275, files: 1 },
	nodes: { lines: 10_961, files: 88 },
	sandbox: { lines: 3296, files: 35 },
};

function sizeOf(folder: string) {
	const texts = filesIn(folder)
		.filter((file) => file.endsWith('.ts') && !file.includes('.generated.'))
		.map(read);
	const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
	return { lines, files: texts.length };
}

test.each(Object.entries(LIMITS))('%s is not larger than agreed', (folder, limit) => {
	const { lines, files } = sizeOf(folder);
	expect({ lines: Math.max(lines, limit.lines), files: Math.max(files, limit.files) }).toEqual(
		limit,
	);
});

test('every folder of the nodes has a limit', () => {
	const folders = readdirSync(path.join(root, 'nodes/ParcelShipping'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
		.map(({ name }) => `nodes/ParcelShipping/${name}`);
	expect(Object.keys(LIMITS)).toEqual(expect.arrayContaining(folders));
});
