import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { jobs } from '../../bench/jobs';
import type { Measured } from '../../bench/measured';

jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let measured: Measured;
let page: string;

beforeAll(() => {
	const bench = path.join(root, 'scripts/bench.mjs');
	execFileSync(process.execPath, [bench, '--quick', '--out', folder], { stdio: 'pipe' });
	measured = JSON.parse(readFileSync(path.join(folder, 'benchmark.json'), 'utf8')) as Measured;
	page = readFileSync(path.join(folder, 'benchmark.md'), 'utf8');
});

test('The quick benchmark does every job in every way and has every figure that its table shows', () => {
	expect(measured.jobs.map(({ name }) => name)).toEqual(jobs.map(({ name }) => name));
	for (const [index, { medians, figures }] of measured.jobs.entries()) {
		expect(Object.keys(medians).sort()).toEqual(Object.keys(jobs[index]?.ways ?? {}).sort());
		for (const figure of figures) expect(medians.node?.[figure]).toEqual(expect.any(Number));
	}
});

test('Every goal gets a figure, so that a goal that is not met can be seen', () => {
	const goals = measured.jobs.flatMap((job) => job.goals);
	expect(goals.length).toBeGreaterThan(10);
	for (const { says, value } of goals) expect([says, typeof value]).toEqual([says, 'number']);
});

test('The page says that a quick run measures nothing, and shows charts that are there', () => {
	expect(page).toContain('its figures mean nothing');
	const charts = [...page.matchAll(/\]\(images\/([^)]+)\)/g)].map(([, name]) => name);
	expect(charts.sort()).toEqual(readdirSync(path.join(folder, 'images')).sort());
	expect(charts).toContain('benchmark-growth-cpu.svg');
});
