// Writes the page from the results and the definitions of the jobs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { markdownTable } from '../scripts/markdownTable';
import { writeFormatted } from '../scripts/writeFormatted';
import { barChart } from './chart';
import { FIGURES, type FigureName, type Medians, titleOf, type Variant, VARIANTS } from './job';
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
}

/** Only the figures that the page shows. The rest of the page is in the definition of the job. */
interface JobResults {
	name: string;
	size: number;
	medians: Medians;
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
	const { jobs, isQuick, runs, measuredAt, latencyMs, machine, versions } = results;
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
	};
}

/** One row per variant. */
function figureTable({ name, medians }: JobResults): string {
	const { figures } = findJob(name);
	const rows = Object.entries(medians).map(([variant, measured]) => [
		VARIANTS[variant as Variant].name,
		...figures.map((figure) => formatFigure(figure, measured[figure])),
	]);
	const titles = figures.map((figure) => FIGURES[figure].title);
	return markdownTable(['Variant', ...titles], rows);
}

const jobTitle = ({ name, size }: JobResults) => titleOf(findJob(name), size);

function formatFigure(figure: FigureName, value: number | undefined): string {
	if (value === undefined || Number.isNaN(value)) return '';
	// Less than what an idle process gains or frees meanwhile.
	if (figure === 'peakMemoryMB' && value < 2) return '< 2 MB';
	return `${formatNumber(value)} ${FIGURES[figure].unit}`.trim();
}

/** Rounds to two or three digits, because measurements are not more precise than that. */
const formatNumber = (value: number) =>
	value.toLocaleString('en', { maximumFractionDigits: value >= 10 ? 0 : 2 });
