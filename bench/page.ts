// Writes the page from the results and the definitions of the jobs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { markdownTable } from '../scripts/markdownTable';
import { writeFormatted } from '../scripts/writeFormatted';
import { barChart } from './chart';
import {
	FIGURES,
	type FigureName,
	type Goal,
	type Medians,
	titleOf,
	valueOf,
	type Variant,
	VARIANTS,
} from './job';
import { findJob } from './jobs';

/** The content of `benchmark.json`. */
export interface BenchmarkResults {
	measuredAt: string;
	isQuick: boolean;
	/** Of each variant. */
	runs: number;
	latencyMs: number;
	machine: string;
	versions: Record<string, string>;
	jobs: JobResults[];
	growth: GrowthLine[];
}

/** Only the figures that the page shows. The rest of the page is in the definition of the job. */
interface JobResults {
	name: string;
	size: number;
	medians: Medians;
}

/** The cost of a job by number of shipments. */
interface GrowthLine {
	name: string;
	points: Array<{ size: number; wallMs: number; cpuMs: number }>;
}

const QUICK_RUN =
	'**This is a quick run with small sizes. It only shows that the benchmark works; ignore its figures.**';
const CHART = 'images/benchmark-time.svg';

export async function writePage(results: BenchmarkResults, folder: string): Promise<void> {
	const template = await readFile(path.join(__dirname, 'page.md'), 'utf8');
	const texts: Record<string, string> = textsOf(results);
	const page = template.replaceAll(/{{(\w+)}}/g, (_, name: string) => texts[name] ?? '');
	await mkdir(path.join(folder, 'images'), { recursive: true });
	await writeFile(path.join(folder, CHART), timeChart(results.jobs));
	await writeFormatted(path.join(folder, 'benchmark.json'), JSON.stringify(results));
	await writeFormatted(path.join(folder, 'benchmark.md'), page);
}

function timeChart(jobs: JobResults[]): string {
	const compared = jobs.filter(({ medians }) => medians.bare);
	return barChart(
		compared.map((job) => ({
			title: jobTitle(job),
			bars: Object.entries(job.medians).map(([variant, { wallMs = 0 }]) => ({
				...VARIANTS[variant as Variant],
				value: wallMs,
				text: formatFigure('wallMs', wallMs),
			})),
		})),
	);
}

function textsOf(results: BenchmarkResults) {
	const { jobs, growth, isQuick, runs, measuredAt, latencyMs, machine, versions } = results;
	return {
		quickRun: isQuick ? QUICK_RUN : '',
		chart: `![Time of each job by variant](${CHART})`,
		date: measuredAt.slice(0, 10),
		runs: `${runs} runs`,
		latencyMs: String(latencyMs),
		machine,
		versions: Object.entries(versions)
			.map((each) => each.join(' '))
			.join(', '),
		figures: jobs.map((job) => `### ${jobTitle(job)}\n\n${figureTable(job)}`).join('\n\n'),
		goals: markdownTable(
			['Goal', 'Limit', 'Measured', 'Status'],
			jobs.flatMap(({ name, medians }) =>
				findJob(name).goals.map((goal) => goalRow(goal, valueOf(goal, medians))),
			),
		),
		growthTime: growthTable(growth, 'wallMs'),
		growthCpu: growthTable(growth, 'cpuMs'),
	};
}

/** One row per variant, with the time relative to the bare client. */
function figureTable({ name, medians }: JobResults): string {
	const { figures } = findJob(name);
	const bareMs = medians.bare?.wallMs;
	const withRatio = bareMs ? ['Time vs. bare client'] : [];
	const rows = Object.entries(medians).map(([variant, measured]) => [
		VARIANTS[variant as Variant].name,
		...figures.map((figure) => formatFigure(figure, measured[figure])),
		...(bareMs ? [`${formatNumber((measured.wallMs ?? NaN) / bareMs)}×`] : []),
	]);
	const titles = figures.map((figure) => FIGURES[figure].title);
	return markdownTable(['Variant', ...titles, ...withRatio], rows);
}

/** What 1,000 shipments cost, by the number of shipments. */
function growthTable(growth: GrowthLine[], figure: 'wallMs' | 'cpuMs'): string {
	const sizes = growth[0]?.points.map(({ size }) => size.toLocaleString('en')) ?? [];
	const rows = growth.map(({ name, points }) => [
		name,
		...points.map((point) => formatFigure(figure, (point[figure] / point.size) * 1_000)),
	]);
	return markdownTable([`${FIGURES[figure].title} per 1,000 of`, ...sizes], rows);
}

function goalRow({ description, atMost }: Goal, value: number): string[] {
	const status = value <= atMost ? 'met' : 'not met';
	return [description, `at most ${formatNumber(atMost)}`, formatNumber(value), status];
}

const jobTitle = ({ name, size }: JobResults) => titleOf(findJob(name), size);

function formatFigure(figure: FigureName, value: number | undefined): string {
	if (value === undefined || Number.isNaN(value)) return '';
	// Less than what an idle process gains or frees meanwhile.
	if (figure === 'peakMemoryMB' && value < 2) return '< 2 MB';
	return `${formatNumber(value)} ${FIGURES[figure].unit}`.trim();
}

/** Rounds to two or three digits, because measurements are not more precise than that. */
function formatNumber(value: number): string {
	if (Number.isNaN(value)) return 'unknown';
	const digits = value >= 10 || Number.isInteger(value) ? 0 : value < 0.1 ? 3 : 2;
	return value.toLocaleString('en', { maximumFractionDigits: digits });
}
