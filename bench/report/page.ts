import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';

import { isMet, type Measured } from '../measured';
import { barChart, growthChart } from './charts';
import { howItIsMeasured } from './explanations';
import { rowsOf } from './table';
import { limitOf, round } from './words';

/** Writes the page, its charts and all figures; returns what it has written. */
export async function writePage(measured: Measured, folder: string): Promise<string[]> {
	await mkdir(path.join(folder, 'images'), { recursive: true });
	const files: Record<string, string> = {
		'benchmark.json': JSON.stringify(measured, rounded),
		'benchmark.md': pageOf(measured),
		...chartsOf(measured),
	};
	const written = Object.entries(files).map(async ([name, content]) => {
		const file = path.join(folder, name);
		await writeFile(file, await tidy(file, content));
		return file;
	});
	return await Promise.all(written);
}

function chartsOf({ jobs, growth }: Measured): Record<string, string> {
	const compared = jobs.filter(({ medians }) => medians.bare);
	return {
		...(compared.length > 0 && {
			'images/benchmark-time.svg': barChart('Side by side', compared, 'wallMs'),
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

function pageOf(measured: Measured): string {
	const { jobs, runs, latencyMs, machine, versions, measuredAt, isQuick } = measured;
	const charts = Object.keys(chartsOf(measured));
	const chart = (name: string, words: string) =>
		charts.includes(`images/${name}.svg`) ? `![${words}](images/${name}.svg)` : '';
	const goals = jobs.flatMap((job) => job.goals);
	const versionList = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
	return `# Benchmark

${isQuick ? '**A quick run with small sizes: it shows that everything works, its figures mean nothing.**\n' : ''}
What this package costs, side by side with n8n's own HTTP Request node and with a bare client, in n8n's real engine and against the sandbox of this repository. Reproduce it with

\`\`\`sh
npm run bench
\`\`\`

Measured on ${measuredAt.slice(0, 10)}: medians of ${runs} runs, ${latencyMs} ms latency, on ${machine}; ${versionList.join(', ')}. Every figure of every run is in [benchmark.json](benchmark.json). This page is written by the command; don't edit it.

## Figures

${jobs.map((job) => `### ${job.title}\n\n${markdownTable(rowsOf(job))}`).join('\n\n')}

${chart('benchmark-time', 'Time of each job, side by side')}

## Goals

${markdownTable([
	['Goal', 'Limit', 'Measured', ''],
	...goals.map((goal) => [
		goal.says,
		limitOf(goal),
		round(goal.value),
		isMet(goal) ? 'met' : '**not met**',
	]),
])}

## Growth

Cost is linear when the lines are straight. The sandbox itself takes longer for each page of a longer list, which is part of the time and not of the CPU.

${chart('benchmark-growth-time', 'Time by number of shipments')}

${chart('benchmark-growth-cpu', 'CPU by number of shipments')}

${howItIsMeasured}
`;
}

function markdownTable([header = [], ...rows]: string[][]): string {
	const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [lineOf(header), lineOf(header.map(() => '---')), ...rows.map(lineOf)].join('\n');
}

function rounded(_: string, value: unknown): unknown {
	return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

async function tidy(file: string, content: string): Promise<string> {
	if (file.endsWith('.svg')) return content;
	const project = path.resolve(__dirname, '../../package.json');
	return await format(content, {
		...(await resolveConfig(project)),
		useTabs: false,
		filepath: file,
	});
}
