import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { FigureName, Figures } from '../job';
import { findJob } from '../jobs';
import type { BenchmarkResults, JobResults } from '../results';
import { growthChart, timeChart } from './charts';
import {
	captionOf,
	formatFigure,
	formatNumber,
	goalRows,
	jobTitle,
	rowsOf,
	timeRatio,
} from './table';

const QUICK_RUN =
	'**This is a quick run with small sizes. It only shows that the benchmark works; ignore its figures.**';

/** Writes the page, its charts and the results. Returns the paths of the files. */
export async function writePage(results: BenchmarkResults, folder: string): Promise<string[]> {
	const template = await readFile(path.join(__dirname, 'page.md'), 'utf8');
	const charts = chartsOf(results);
	const texts: Record<string, string> = { ...textsOf(results) };
	for (const [name, { caption }] of Object.entries(charts)) {
		texts[name] = `![${caption}](images/${name}.svg)`;
	}
	const files: Record<string, string> = {
		'benchmark.json': JSON.stringify(results, roundNumbers),
		'benchmark.md': template.replaceAll(/{{([\w-]+)}}/g, (_, name: string) => texts[name] ?? ''),
	};
	for (const [name, { svg }] of Object.entries(charts)) files[`images/${name}.svg`] = svg;
	await mkdir(path.join(folder, 'images'), { recursive: true });
	return await Promise.all(
		Object.entries(files).map(async ([name, content]) => {
			const file = path.join(folder, name);
			await writeFile(file, await formatFile(file, content));
			return file;
		}),
	);
}

function chartsOf({ jobs, growth }: BenchmarkResults) {
	const charts: Record<string, { caption: string; svg: string }> = {};
	const compared = jobs.filter(({ medians }) => medians.bare);
	if (compared.length > 0) {
		const caption = 'Time of each job by variant';
		charts['benchmark-time'] = { caption, svg: timeChart(compared) };
	}
	if (growth.length === 0) return charts;
	for (const figure of ['wallMs', 'cpuMs'] as const) {
		const caption = `${captionOf(figure)} by number of shipments`;
		const name = `benchmark-growth-${captionOf(figure).toLowerCase()}`;
		charts[name] = { caption, svg: growthChart(caption, growth, figure) };
	}
	return charts;
}

function textsOf({ jobs, isQuick, measuredAt, latencyMs, machine, versions }: BenchmarkResults) {
	const runs = Math.max(...jobs.map((job) => job.runs));
	const fewerRuns = jobs.filter((job) => job.runs < runs);
	const exceptions = fewerRuns.map((job) => ` (${job.runs} of *${jobTitle(job)}*)`);
	const tables = jobs.map((job) => `### ${jobTitle(job)}\n\n${markdownTable(rowsOf(job))}`);
	return {
		quickRun: isQuick ? QUICK_RUN : '',
		gain: markdownTable(gainRows(jobs)),
		requestFunction: describeRequestFunction(jobs),
		checking: describeChecking(jobs),
		date: measuredAt.slice(0, 10),
		runs: `${runs} runs${exceptions.join('')}`,
		latencyMs: String(latencyMs),
		machine,
		versions: Object.entries(versions)
			.map((each) => each.join(' '))
			.join(', '),
		figures: tables.join('\n\n'),
		goals: markdownTable(goalRows(jobs)),
	};
}

const GAIN_FIGURES: FigureName[] = ['wallMs', 'requests', 'batches', 'peakMemoryMB'];

/** Compares this package with the HTTP Request node for each job that both can do. */
function gainRows(jobs: JobResults[]): string[][] {
	const rows = jobs.flatMap((job) => {
		const { node, httpRequest } = job.medians;
		if (!node || !httpRequest) return [];
		const shown = GAIN_FIGURES.filter((figure) => findJob(job.name).figures.includes(figure));
		const listFigures = (figures: Figures) =>
			shown.map((name) => describeFigure(name, figures[name])).join(', ');
		return [[jobTitle(job), listFigures(node), listFigures(httpRequest)]];
	});
	return [['Job', 'This package', 'HTTP Request node'], ...rows];
}

function describeFigure(name: FigureName, value: number | undefined): string {
	const text = formatFigure(name, value);
	return name === 'wallMs' ? text : `${text} ${captionOf(name).toLowerCase()}`;
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

function markdownTable([header = [], ...rows]: string[][]): string {
	const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [lineOf(header), lineOf(header.map(() => '---')), ...rows.map(lineOf)].join('\n');
}

function roundNumbers(_: string, value: unknown): unknown {
	return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

async function formatFile(file: string, content: string): Promise<string> {
	if (file.endsWith('.svg')) return content;
	const project = path.resolve(__dirname, '../../package.json');
	const options = { ...(await resolveConfig(project)), useTabs: false, filepath: file };
	return await format(content, options);
}
