import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import {
	FIGURES,
	type FigureName,
	type Figures,
	type Goal,
	titleOf,
	type Variant,
	VARIANTS,
} from '../job';
import { findJob } from '../jobs';
import type { BenchmarkResults, GrowthLine, JobResults } from '../results';
import { barChart } from './chart';

const QUICK_RUN =
	'**This is a quick run with small sizes. It only shows that the benchmark works; ignore its figures.**';
const GAIN_FIGURES: FigureName[] = ['wallMs', 'requests', 'batches', 'peakMemoryMB'];
const CHART = 'images/benchmark-time.svg';

/** Writes the page, its chart and the results. Returns the paths of the files. */
export async function writePage(results: BenchmarkResults, folder: string): Promise<string[]> {
	const template = await readFile(path.join(__dirname, 'page.md'), 'utf8');
	const texts: Record<string, string> = textsOf(results);
	const round = (_: string, value: unknown) =>
		typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
	const files = {
		'benchmark.json': JSON.stringify(results, round),
		'benchmark.md': template.replaceAll(/{{(\w+)}}/g, (_, name: string) => texts[name] ?? ''),
		[CHART]: timeChart(results.jobs),
	};
	await mkdir(path.join(folder, 'images'), { recursive: true });
	const project = await resolveConfig(path.resolve(__dirname, '../../package.json'));
	return await Promise.all(
		Object.entries(files).map(async ([name, content]) => {
			const filepath = path.join(folder, name);
			const options = { ...project, useTabs: false, filepath };
			await writeFile(filepath, name === CHART ? content : await format(content, options));
			return filepath;
		}),
	);
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
	const { jobs, growth, isQuick, measuredAt, latencyMs, machine, versions } = results;
	const runs = Math.max(...jobs.map((job) => job.runs));
	const exceptions = jobs
		.filter((job) => job.runs < runs)
		.map((job) => ` (${job.runs} of *${jobTitle(job)}*)`);
	return {
		quickRun: isQuick ? QUICK_RUN : '',
		chart: `![Time of each job by variant](${CHART})`,
		gain: markdownTable(['Job', 'This package', 'HTTP Request node'], jobs.flatMap(gainRow)),
		requestFunction: describeRequestFunction(jobs),
		checking: describeChecking(jobs),
		date: measuredAt.slice(0, 10),
		runs: `${runs} runs${exceptions.join('')}`,
		latencyMs: String(latencyMs),
		machine,
		versions: Object.entries(versions)
			.map((each) => each.join(' '))
			.join(', '),
		figures: jobs.map((job) => `### ${jobTitle(job)}\n\n${figureTable(job)}`).join('\n\n'),
		goals: markdownTable(
			['Goal', 'Limit', 'Measured', 'Status'],
			jobs.flatMap(({ name, medians }) =>
				findJob(name).goals.map((goal) => goalRow(goal, goal.value(medians))),
			),
		),
		growthTime: growthTable(growth, 'wallMs'),
		growthCpu: growthTable(growth, 'cpuMs'),
	};
}

/** Compares this package with the HTTP Request node, if both can do the job. */
function gainRow(job: JobResults): string[][] {
	const { node, httpRequest } = job.medians;
	if (!node || !httpRequest) return [];
	const shown = GAIN_FIGURES.filter((figure) => findJob(job.name).figures.includes(figure));
	const describe = (figures: Figures) =>
		shown
			.map(
				(name) => formatFigure(name, figures[name]) + (name === 'wallMs' ? '' : ` ${nounOf(name)}`),
			)
			.join(', ');
	return [[jobTitle(job), describe(node), describe(httpRequest)]];
}

const nounOf = (name: FigureName) => FIGURES[name].title.toLowerCase();

/** One row per variant, with the time relative to the bare client. */
function figureTable({ name, medians }: JobResults): string {
	const { figures } = findJob(name);
	const withRatio = medians.bare ? ['Time vs. bare client'] : [];
	const rows = Object.entries(medians).map(([variant, measured]) => [
		VARIANTS[variant as Variant].name,
		...figures.map((figure) => formatFigure(figure, measured[figure])),
		...withRatio.map(() => `${formatNumber(timeRatio(medians, variant as Variant))}×`),
	]);
	return markdownTable(
		['Variant', ...figures.map((each) => FIGURES[each].title), ...withRatio],
		rows,
	);
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

function describeChecking(jobs: JobResults[]): string {
	const { size, medians } = jobs.find(({ name }) => name === 'check') ?? {};
	if (!size || !medians?.node?.wallMs) return '';
	return `, which takes ${formatNumber((medians.node.wallMs / size) * 1_000)} ms for 1,000 items`;
}

function describeRequestFunction(jobs: JobResults[]): string {
	const all = jobs.map(({ medians }) => timeRatio(medians, 'n8nRequests'));
	const ratios = all.filter((ratio) => !Number.isNaN(ratio));
	if (ratios.length === 0) return '';
	const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(formatNumber);
	return `In this measurement, it took ${least} to ${most} times as long as the bare client.`;
}

const jobTitle = ({ name, size }: JobResults) => titleOf(findJob(name), size);

/** The time of a variant relative to the bare client. */
const timeRatio = (medians: JobResults['medians'], variant: Variant) =>
	(medians[variant]?.wallMs ?? NaN) / (medians.bare?.wallMs ?? NaN);

function formatFigure(figure: FigureName, value: number | undefined): string {
	if (value === undefined || Number.isNaN(value)) return '';
	return `${formatNumber(value)} ${FIGURES[figure].unit}`.trim();
}

/** Rounds to two or three digits, because measurements are not more precise than that. */
function formatNumber(value: number): string {
	if (Number.isNaN(value)) return 'unknown';
	const digits = value >= 10 || Number.isInteger(value) ? 0 : value < 0.1 ? 3 : 2;
	return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function markdownTable(header: string[], rows: string[][]): string {
	const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [header, header.map(() => '---'), ...rows].map(lineOf).join('\n');
}
