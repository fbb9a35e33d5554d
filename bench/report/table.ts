import { type FigureName, type Way, wayNames } from '../job';
import { isMet, type Measured, type MeasuredJob } from '../measured';
import { limitOf, round, titleOf, withUnit } from './words';

/** For the terminal. */
export function showTable(measured: Measured): string {
	const jobs = measured.jobs.map((job) => `${job.title}\n${align(rowsOf(job))}`);
	const goals = measured.jobs
		.flatMap((job) => job.goals)
		.map((goal) => [
			isMet(goal) ? 'met' : 'NOT MET',
			goal.says,
			`${round(goal.value)} (${limitOf(goal)})`,
		]);
	return [...jobs, `Goals\n${align(goals)}`].join('\n\n');
}

/** A header, then a row for each way: its figures, and its time as a multiple of the bare client's. */
export function rowsOf({ figures, medians }: MeasuredJob): string[][] {
	const hasRatios = medians.bare !== undefined;
	const header = ['', ...figures.map(titleOf), ...(hasRatios ? ['Time, times the bare'] : [])];
	const ways = Object.keys(medians) as Way[];
	const rows = ways.map((way) => [
		wayNames[way],
		...figures.map((figure: FigureName) => withUnit(figure, medians[way]?.[figure])),
		...(hasRatios ? [timesBare(medians, way)] : []),
	]);
	return [header, ...rows];
}

function timesBare(medians: MeasuredJob['medians'], way: Way): string {
	return round((medians[way]?.wallMs ?? NaN) / (medians.bare?.wallMs ?? NaN));
}

function align(rows: string[][]): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => (row[column] ?? '').length)),
	);
	const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
	return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd()).join('\n');
}
