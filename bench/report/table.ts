import {
	FIGURES,
	type FigureName,
	type Goal,
	type Medians,
	titleOf,
	type Variant,
	VARIANTS,
} from '../job';
import { findJob } from '../jobs';
import type { JobResults } from '../results';

export const captionOf = (figure: FigureName) => FIGURES[figure].title;

export function formatFigure(figure: FigureName, value: number | undefined): string {
	if (value === undefined || Number.isNaN(value)) return '';
	return `${formatNumber(value)} ${FIGURES[figure].unit}`.trim();
}

/** Rounds to two or three digits, because measurements are not more precise than that. */
export function formatNumber(value: number): string {
	if (Number.isNaN(value)) return 'unknown';
	const digits = value >= 10 || Number.isInteger(value) ? 0 : value < 0.1 ? 3 : 2;
	return value.toLocaleString('en', { maximumFractionDigits: digits });
}

export const jobTitle = ({ name, size }: JobResults) => titleOf(findJob(name), size);

/** Returns a header and one row per variant, with the time relative to the bare client. */
export function rowsOf({ name, medians }: JobResults): string[][] {
	const { figures } = findJob(name);
	const withRatio = medians.bare ? ['Time vs. bare client'] : [];
	const rows = Object.entries(medians).map(([variant, measured]) => [
		VARIANTS[variant as Variant].name,
		...figures.map((figure) => formatFigure(figure, measured[figure])),
		...withRatio.map(() => `${formatNumber(timeRatio(medians, variant as Variant))}×`),
	]);
	return [['Variant', ...figures.map(captionOf), ...withRatio], ...rows];
}

/** The time of a variant relative to the bare client. */
export function timeRatio(medians: Medians, variant: Variant): number {
	return (medians[variant]?.wallMs ?? NaN) / (medians.bare?.wallMs ?? NaN);
}

/** Returns a header and one row per goal. */
export function goalRows(jobs: JobResults[]): string[][] {
	const rows = jobs.flatMap(({ name, medians }) =>
		findJob(name).goals.map((goal) => goalRow(goal, goal.value(medians))),
	);
	return [['Goal', 'Limit', 'Measured', 'Status'], ...rows];
}

function goalRow({ description, atMost, atLeast }: Goal, value: number): string[] {
	const limit = formatNumber(atMost ?? atLeast ?? NaN);
	const isMet = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
	// With more digits if the measured value is so close to the limit that both look the same.
	const isClose = !isMet && formatNumber(value) === limit;
	return [
		description,
		`${atMost === undefined ? 'at least' : 'at most'} ${limit}`,
		isClose ? value.toPrecision(4) : formatNumber(value),
		isMet ? 'met' : 'not met',
	];
}
