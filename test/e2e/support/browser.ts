import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page, selectors } from 'playwright-core';

import type { Suite } from './suite';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Wide enough for the complete view of a node. Screenshots are scaled to a width of 1200 pixels. */
const WINDOW = { width: 1340, height: 800 };
const SCALE = 1200 / WINDOW.width;

/** Long, because other processes may slow down the machine. */
const TIMEOUT_MS = 30_000;

export async function openBrowser(): Promise<Browser> {
	if (!existsSync(CHROMIUM)) {
		throw new Error(
			`These tests need a browser, but ${CHROMIUM} does not exist. On Debian, run: apt-get install chromium. On other systems, set the variable CHROMIUM to the path of Chromium or Chrome`,
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath: CHROMIUM,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** Opens a window that is not signed in to n8n. */
export async function openWindow(browser: Browser): Promise<Page> {
	const context = await browser.newContext({
		viewport: WINDOW,
		deviceScaleFactor: SCALE,
		colorScheme: 'light',
	});
	context.setDefaultTimeout(TIMEOUT_MS);
	return await context.newPage();
}

/** Opens a window with the session of the suite, because n8n limits sign-ins per minute. */
export async function openSignedIn(browser: Browser, { url, headers }: Suite): Promise<Page> {
	const page = await openWindow(browser);
	const [cookie = ''] = (headers.cookie ?? '').split('; ');
	const [name = ''] = cookie.split('=');
	await page.context().addCookies([{ name, value: cookie.slice(name.length + 1), url }]);
	await page.addInitScript(
		(id) => localStorage.setItem('n8n-browserId', id),
		headers['browser-id'] ?? '',
	);
	return page;
}

/** A test in the browser. If it fails, a screenshot is saved. */
export function browserTest(name: string, pageOf: () => Page, run: () => Promise<void>): void {
	test(name, async () => {
		try {
			await run();
		} catch (error) {
			const file = path.join(mkdtempSync(path.join(tmpdir(), 'parcel-screen-')), 'screen.png');
			await pageOf().screenshot({ path: file });
			console.error(`Screenshot: ${file}`);
			throw error;
		}
	});
}
