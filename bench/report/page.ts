import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { FigureName, Figures } from '../job';
import { type BenchmarkResults, isMet, type JobResults } from '../results';
import { barChart, growthChart } from './charts';
import { formatFigure, formatLimit, formatMeasured, formatNumber, titleOf } from './format';
import { rowsOf, timeRatio } from './table';

/** Writes the page, its charts and the results. Returns the paths of the files. */
export async function writePage(results: BenchmarkResults, folder: string): Promise<string[]> {
	await mkdir(path.join(folder, 'images'), { recursive: true });
	const files: Record<string, string> = {
		'benchmark.json': JSON.stringify(results, roundNumbers),
		'benchmark.md': renderPage(results),
		...renderCharts(results),
	};
	const written = Object.entries(files).map(async ([name, content]) => {
		const file = path.join(folder, name);
		await writeFile(file, await formatFile(file, content));
		return file;
	});
	return await Promise.all(written);
}

function renderCharts({ jobs, growth }: BenchmarkResults): Record<string, string> {
	const compared = jobs.filter(({ medians }) => medians.bare);
	return {
		...(compared.length > 0 && {
			'images/benchmark-time.svg': barChart('Comparison', compared, 'wallMs'),
		}),
		...(growth.length > 0 && {
			'images/benchmark-growth-time.svg': growthChart(
				'Time by number of shipments',
				growth,
				'wallMs',
			),
			'images/benchmark-growth-cpu.svg': growthChart('CPU by number of shipments', growth, 'cpuMs'),
		}),
	};
}

function renderPage(results: BenchmarkResults): string {
	const { jobs, runs, latencyMs, machine, versions, measuredAt, isQuick } = results;
	const charts = Object.keys(renderCharts(results));
	const chart = (name: string, caption: string) =>
		charts.includes(`images/${name}.svg`) ? `![${caption}](images/${name}.svg)` : '';
	const goals = jobs.flatMap((job) => job.goals);
	const versionList = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
	return `# Benchmark

${isQuick ? '**This is a quick run with small sizes. It only shows that the benchmark works; ignore its figures.**\n' : ''}
This page compares this package with n8n's HTTP Request node, and with a bare client that sends only the necessary requests. All of them run against the sandbox in this repository.

## What you gain

${markdownTable(gainRows(jobs))}

Unlike the HTTP Request node, this package also validates all items before it sends anything, finds shipments that already exist, and checks with the service whether a shipment was created if the response is lost.

## Limits of n8n's request function

A node can only send requests through n8n's request function, which opens a new connection for every request. The variant *n8n's request function only* measures its cost: it sends the requests of the bare client through this function, with the credential and up to 4 in parallel, and ignores the responses. ${describeRequestFunction(jobs)}

The remaining difference to the bare client comes from what this package does in addition:

- **Create** reads and validates each item before it sends anything${describeChecking(jobs)}. Without look-up, it records which shipments already exist, to check the result reliably if a response is lost. This takes the time of one more request, regardless of the number of orders. The first creation in ten minutes also waits for the carriers and services of the account.
- **Polls** read and write the state and compare all events with the known ones.
- **Large files** are streamed. The extra memory is what Node.js buffers before it frees memory, also with the bare client.

## Figures

Measured on ${measuredAt.slice(0, 10)} with \`npm run bench\`. All figures are medians of ${runs} runs${describeFewerRuns(results)} with a latency of ${latencyMs} ms on ${machine}, with ${versionList.join(', ')}. [benchmark.json](benchmark.json) contains the figures of every run. The command generates this page, so don't edit it.

${jobs.map((job) => `### ${job.title}\n\n${markdownTable(rowsOf(job))}`).join('\n\n')}

${chart('benchmark-time', 'Time of each job by variant')}

## Goals

A node sends its requests through n8n's request function, so goals for times compare with it. Where this package looks up existing shipments, both other variants do the same, and look again for duplicates after creating. For many orders, they read only the newest pages of the list for that, while this package reads the list again.

${markdownTable([
	['Goal', 'Limit', 'Measured', 'Status'],
	...goals.map((goal) => [
		goal.description,
		formatLimit(goal),
		formatMeasured(goal),
		isMet(goal) ? 'met' : 'not met',
	]),
])}

## Growth

A straight line means that the cost grows linearly. The time includes the sandbox, which needs longer for the pages of a longer list. The CPU time doesn't.

${chart('benchmark-growth-time', 'Time by number of shipments')}

${chart('benchmark-growth-cpu', 'CPU by number of shipments')}

${method}
`;
}

function describeFewerRuns({ jobs, runs }: BenchmarkResults): string {
	const fewer = jobs.filter((job) => (job.runs.node?.length ?? runs) < runs);
	return fewer.map(({ title, runs: { node = [] } }) => ` (${node.length} of *${title}*)`).join('');
}

const gainFigures: FigureName[] = ['wallMs', 'requests', 'batches', 'peakMemoryMB'];

/** Compares this package with the HTTP Request node for each job that both can do. */
function gainRows(jobs: JobResults[]): string[][] {
	const rows = jobs.flatMap(({ title, figures: columns, medians }) => {
		const { node, httpRequest } = medians;
		if (!node || !httpRequest) return [];
		const figures = gainFigures.filter((figure) => columns.includes(figure));
		return [[title, listFigures(figures, node), listFigures(figures, httpRequest)]];
	});
	return [['Job', 'This package', 'HTTP Request node'], ...rows];
}

function listFigures(names: FigureName[], figures: Figures): string {
	return names
		.map((name) => {
			const value = formatFigure(name, figures[name]);
			return name === 'wallMs' ? value : `${value} ${titleOf(name).toLowerCase()}`;
		})
		.join(', ');
}

function describeChecking(jobs: JobResults[]): string {
	const job = jobs.find(({ name }) => name === 'check');
	const totalMs = job?.medians.node?.wallMs;
	if (!job || totalMs === undefined) return '';
	return `, which takes ${formatNumber((totalMs / job.size) * 1_000)} ms for 1,000 items`;
}

function describeRequestFunction(jobs: JobResults[]): string {
	const ratios = jobs
		.map(({ medians }) => timeRatio(medians, 'n8nRequests'))
		.filter((ratio) => !Number.isNaN(ratio));
	if (ratios.length === 0) return '';
	const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(formatNumber);
	return `In this measurement, it took ${least} to ${most} times as long as the bare client.`;
}

// States all choices, so that readers can judge whether the comparison is fair.
const method = `## Method

- Every run of a variant has its own process. The sandbox runs in a separate process that all runs share, so its CPU time and memory are not included. The variants take turns, and each round starts with another one. Before the measured run, each process does the same job once, to measure a running n8n instead of a cold start.
- **This package** and the **HTTP Request node** run in n8n's engine as in a published workflow, with binary data on disk and the same credential. The time is that of the whole workflow.
- **The bare client** is axios with keep-alive connections and up to 4 parallel requests, the default of this package. It sends the ideal requests and validates nothing: no responses, no labels, no input.
- **CPU** is the CPU time of the process. **Extra memory** is the peak memory during the measured run, minus the memory before the first run of the job. **Longest block** is the longest time that the event loop was blocked.

The HTTP Request node (version 4.5, JSON responses) is configured the way an experienced user would do it:

- *List*: the *Pagination* option (\`start\` = \`$pageCount * 100\`), then *Split Out*. It requests one page after another.
- *Create without look-up*: one request per item, which is the default. All requests are sent at once, without *Batching*, which would only add pauses. The variant *in batches* uses *Loop Over Items* (100), *Aggregate*, an expression that builds the list, and *Split Out*. Neither validates the input, finds existing shipments, or handles a lost response.
- *Create with look-up*: a search for each order, *Filter*, and a creation request for each missing shipment.
- *Print* and *Download*: *Aggregate*, \`/Label/Print\`, *Split Out*, and one request per file.
- Polls and validation have no equivalent. The jobs with an hour of polls move the clocks of the trigger and the sandbox forward by a minute before each poll. Of their shipments, 60% were delivered, 25% are on their way, 10% have had no event for five days, and 5% were created in the last day.

For creating and printing, the shipments are spread over three carriers, except with one slow carrier. In the form of this package, every field is mapped with an expression, as by drag and drop. Label files have a realistic size (10 kB per label) but are not rendered, because rendering in the sandbox would take longer than everything else.`;

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
	return await format(content, {
		...(await resolveConfig(project)),
		useTabs: false,
		filepath: file,
	});
}
