import { type FigureName, type Variant, variantNames } from '../job';
import { type BenchmarkResults, isMet, type JobResults } from '../results';
import { formatFigure, formatLimit, formatMeasured, formatNumber, titleOf } from './format';

/** Returns the results as text for the terminal. */
export function formatForTerminal({ jobs }: BenchmarkResults): string {
	const tables = jobs.map((job) => `${job.title}\n${align(rowsOf(job))}`);
	const goals = jobs
		.flatMap((job) => job.goals)
		.map((goal) => [
			isMet(goal) ? 'met' : 'NOT MET',
			goal.description,
			`${formatMeasured(goal)} (${formatLimit(goal)})`,
		]);
	return [...tables, `Goals\n${align(goals)}`].join('\n\n');
}

/** Returns a header and one row per variant, with the time relative to the bare client. */
export function rowsOf({ figures, medians }: JobResults): string[][] {
	const hasBareClient = medians.bare !== undefined;
	const header = [
		'Variant',
		...figures.map(titleOf),
		...(hasBareClient ? ['Time vs. bare client'] : []),
	];
	const variants = Object.keys(medians) as Variant[];
	const rows = variants.map((variant) => [
		variantNames[variant],
		...figures.map((figure: FigureName) => formatFigure(figure, medians[variant]?.[figure])),
		...(hasBareClient ? [`${formatNumber(timeRatio(medians, variant))}×`] : []),
	]);
	return [header, ...rows];
}

/** The time of a variant relative to the bare client. */
export function timeRatio(medians: JobResults['medians'], variant: Variant): number {
	return (medians[variant]?.wallMs ?? NaN) / (medians.bare?.wallMs ?? NaN);
}

function align(rows: string[][]): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => (row[column] ?? '').length)),
	);
	const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
	return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd()).join('\n');
}
