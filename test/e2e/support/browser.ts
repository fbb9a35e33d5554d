import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page, selectors } from 'playwright-core';

import type { Suite } from './suite';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Wide enough for all that n8n shows of a node; pictures of it are 1200 wide. */
const WINDOW = { width: 1340, height: 800 };
const SCALE = 1200 / WINDOW.width;

/** Others may be using the machine. */
const PATIENCE_MS = 30_000;

export async function openBrowser(): Promise<Browser> {
	if (!existsSync(CHROMIUM)) {
		throw new Error(
			`These tests need a browser, and there is none at ${CHROMIUM}. On Debian: apt-get install chromium. Elsewhere: name the program of a Chromium or Chrome in the variable CHROMIUM`,
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

/** A window of somebody whom n8n doesn't know yet. */
export async function openWindow(browser: Browser): Promise<Page> {
	const context = await browser.newContext({
		viewport: WINDOW,
		deviceScaleFactor: SCALE,
		colorScheme: 'light',
	});
	context.setDefaultTimeout(PATIENCE_MS);
	return await context.newPage();
}

/** A window with the suite's session: n8n takes few sign-ins a minute. */
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

/** A test in the browser; when it fails, a picture of what was on the screen is left behind. */
export function story(name: string, pageOf: () => Page, tell: () => Promise<void>): void {
	test(name, async () => {
		try {
			await tell();
		} catch (error) {
			const file = path.join(mkdtempSync(path.join(tmpdir(), 'parcel-screen-')), 'screen.png');
			await pageOf().screenshot({ path: file });
			console.error(`What was on the screen: ${file}`);
			throw error;
		}
	});
}
