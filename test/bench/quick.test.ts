import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { jobs } from '../../bench/jobs';
import { valueOf } from '../../bench/job';
import type { BenchmarkResults } from '../../bench/page';

jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let results: BenchmarkResults;
let page: string;

beforeAll(() => {
	const bench = path.join(root, 'scripts/runSuite.mjs');
	execFileSync(process.execPath, [bench, 'benchmark', '--quick', '--out', folder], {
		stdio: 'pipe',
	});
	results = JSON.parse(
		readFileSync(path.join(folder, 'benchmark.json'), 'utf8'),
	) as BenchmarkResults;
	page = readFileSync(path.join(folder, 'benchmark.md'), 'utf8');
});

test('A quick run measures every variant of every job and every figure and goal of the page', () => {
	expect(results.jobs.map(({ name }) => name)).toEqual(jobs.map(({ name }) => name));
	for (const [index, { variants, figures, goals }] of jobs.entries()) {
		const { medians = {} } = results.jobs[index] ?? {};
		expect(Object.keys(medians).sort()).toEqual(Object.keys(variants).sort());
		for (const figure of figures) expect(medians.node?.[figure]).toEqual(expect.any(Number));
		for (const goal of goals) {
			expect([goal, Number.isFinite(valueOf(goal, medians))]).toEqual([goal, true]);
			expect(page).toContain(`| ${goal.description}`);
		}
	}
});

test('The page marks a quick run and has its chart', () => {
	expect(page).toContain('ignore its figures');
	expect(page).toContain('](images/benchmark-time.svg)');
	const chart = readFileSync(path.join(folder, 'images/benchmark-time.svg'), 'utf8');
	expect(chart).toMatch(/^<svg[^]+<rect[^]+<text[^]+<\/svg>\n$/);
	expect(page).toMatch(/\| Create shipments +\|/);
});
