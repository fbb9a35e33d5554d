import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Whether generated files are only compared. */
const isCheck = process.argv.includes('--check');

/** Writes a generated file in the format of the project, unless it is as wanted already. */
export async function writeFormatted(file: string, text: string): Promise<void> {
	// Loaded late, because jest cannot load it, and tests import some of the scripts.
	const prettier = await import('prettier');
	const options = await prettier.resolveConfig(file);
	const wanted = await prettier.format(text, { ...options, filepath: file });
	if ((await readFile(file, 'utf8').catch(() => '')) === wanted) return;
	const name = path.relative(process.cwd(), file);
	if (isCheck) throw new Error(`${name} is not up to date. Write it with: npm run generate`);
	await writeFile(file, wanted);
	console.log(`Wrote ${name}`);
}
