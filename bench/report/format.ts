import type { FigureName } from '../job';
import { type GoalResult, isMet } from '../results';

const FIGURES: Readonly<Record<FigureName, { title: string; unit: string }>> = {
	wallMs: { title: 'Time', unit: 'ms' },
	cpuMs: { title: 'CPU', unit: 'ms' },
	requests: { title: 'Requests', unit: '' },
	batches: { title: 'Batches', unit: '' },
	files: { title: 'Files', unit: '' },
	peakMemoryMB: { title: 'Extra memory', unit: 'MB' },
	stateKB: { title: 'State', unit: 'kB' },
	longestBlockMs: { title: 'Longest block', unit: 'ms' },
	sizeKB: { title: 'Tarball', unit: 'kB' },
};

export function titleOf(figure: FigureName): string {
	return FIGURES[figure].title;
}

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

/** With more digits if the measured value is so close to the limit that both look the same. */
export function formatMeasured(goal: GoalResult): string {
	const { value, atMost, atLeast } = goal;
	const text = formatNumber(value);
	const looksMet = text === formatNumber(atMost ?? atLeast ?? NaN);
	return looksMet && !isMet(goal) ? value.toPrecision(4) : text;
}

export function formatLimit({ atMost, atLeast }: GoalResult): string {
	return atMost === undefined
		? `at least ${formatNumber(atLeast ?? NaN)}`
		: `at most ${formatNumber(atMost)}`;
}
