import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

import { readLabelsPdf } from '../support/readLabelsPdf';
import { browserTest, closeBrowser, openWindow } from './support/browser';
import { NpmStart, stillRunning } from './support/npmStart';
import { takePicture } from './support/pictures';

jest.setTimeout(400_000);

let folder: string;
let demo: NpmStart;
let page: Page;

beforeAll(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'parcel-first-'));
	demo = NpmStart.run('start', ['--folder', folder]);
	await demo.until(/Ctrl\+C stops everything/);
	page = await openWindow();
});

afterAll(async () => {
	const pids = demo?.processes() ?? [];
	demo?.end('SIGTERM');
	await stillRunning(pids);
	if (page) await closeBrowser(page);
	rmSync(folder, { recursive: true, force: true });
});

browserTest(
	'A new user gets from npm start to a printed label in fewer than ten clicks',
	() => page,
	async () => {
		let clicks = 0;
		const click = async (target: Locator) => {
			clicks++;
			await target.click();
		};
		const openAddress = async (address: string) => {
			clicks++;
			await page.goto(address);
		};

		await openAddress(await demo.until(/First +Open (\S+)/));
		await page.getByLabel('Email').fill(await demo.printedValue('User'));
		await page.getByLabel('Password').fill(await demo.printedValue('Password'));
		await click(page.getByRole('button', { name: 'Sign in' }));
		await click(page.getByTestId('execute-workflow-button'));
		await page.getByText('Workflow executed successfully').waitFor();
		// The canvas turns green a moment later.
		await page.waitForTimeout(3_000);
		await takePicture(page, 'nightly');

		await openAddress(await demo.until(/Then +Open (\S+)/));
		await page.getByText('Jana Nováková').waitFor();
		expect(await page.locator('#print-jobs').innerText()).toContain('Warehouse A4');
		const tab = page.waitForEvent('popup');
		await click(
			page.getByRole('row', { name: 'Jana Nováková' }).getByRole('link', { name: /^Label/ }),
		);
		const file = await fetch((await tab).url());
		const [label] = readLabelsPdf(Buffer.from(await file.arrayBuffer()));
		expect(label?.lines.join('\n')).toContain('Jana Nováková');
		expect(clicks).toBeLessThan(10);
	},
);
