import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parseSync } from '@swc/core';

import { root } from '../support/projectFiles';

/** A change of the code that a developer could make, and that a test must notice. */
export interface Defect {
	/** Relative to the root of the project. */
	file: string;
	/** The promise to users that it breaks. */
	promise: string;
	/** Text that the file contains exactly once. */
	find: string;
	/** Without it, the text is missing. */
	replace?: string;
	/** The file in `test/engine/` that notices it, if neither a unit test nor the simulation can. */
	engine?: string;
}

/** The defects of a folder, by file and by promise. */
export const defectsIn = (
	folder: string,
	byFile: Readonly<
		Record<string, Readonly<Record<string, Pick<Defect, 'find' | 'replace' | 'engine'>>>>
	>,
): Defect[] =>
	Object.entries(byFile).flatMap(([file, byPromise]) =>
		Object.entries(byPromise).map(([promise, change]) => ({
			file: `${folder}${file}`,
			promise,
			...change,
		})),
	);

/** The code of the file with the defect. */
export const plant = (code: string, { find, replace = '' }: Defect) =>
	code.replace(find, () => replace);

/** What is wrong with the entry itself. */
export function problemOf(defect: Defect): string | undefined {
	const file = path.join(root, defect.file);
	if (!existsSync(file)) return `There is no file ${defect.file}`;
	const code = readFileSync(file, 'utf8');
	const count = code.split(defect.find).length - 1;
	if (count !== 1) return `${defect.file} contains this ${count} times: ${defect.find}`;
	try {
		parseSync(plant(code, defect), { syntax: 'typescript' });
		return undefined;
	} catch {
		return `${defect.file} cannot be compiled without this: ${defect.find}`;
	}
}
