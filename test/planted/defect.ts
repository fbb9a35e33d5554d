/** What the simulation plays. */
export const kinds = ['creation', 'changes', 'trigger'] as const;

export type Kind = (typeof kinds)[number];

/** A change of the code that a developer could make, and that a test must notice. */
export interface Defect {
	/** Relative to the root of the project. */
	file: string;
	/** Text that the file contains exactly once. */
	find: string;
	replace: string;
	/** The promise to users that it breaks. */
	promise: string;
	/** The simulation to try before the unit tests, because none of those notices the defect. */
	noticedBy?: Kind;
}

/** The defects of a folder, by its files. */
export const defectsIn = (
	folder: string,
	byFile: Readonly<Record<string, ReadonlyArray<Omit<Defect, 'file'>>>>,
): Defect[] =>
	Object.entries(byFile).flatMap(([file, defects]) =>
		defects.map((defect) => ({ ...defect, file: `${folder}${file}` })),
	);
