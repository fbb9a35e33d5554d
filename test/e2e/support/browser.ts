import path from 'node:path';
import {
	type BrowserContext,
	chromium,
	type LaunchOptions,
	type Page,
	selectors,
} from 'playwright-core';

import type { Suite } from './n8n';

/** On systems other than Debian, set this variable to the path of Chromium or Chrome. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Long, because other processes may slow down the machine. */
const TIMEOUT_MS = 30_000;

/** Wide enough for the complete view of a node. Screenshots are scaled to a width of 1200 pixels. */
const WINDOW = {
	viewport: { width: 1340, height: 800 },
	deviceScaleFactor: 1200 / 1340,
	colorScheme: 'light',
} as const;

function launchOptions(): LaunchOptions {
	selectors.setTestIdAttribute('data-test-id');
	const offline = ['--disable-background-networking', '--disable-component-update'];
	const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...offline];
	return { executablePath: CHROMIUM, args: [...args, '--disable-sync'] };
}

/** Opens a window of a new user. */
export async function openWindow(): Promise<Page> {
	const browser = await chromium.launch(launchOptions());
	return await openPage(await browser.newContext(WINDOW));
}

/** Opens a window with the session of the suite, because n8n limits sign-ins per minute. */
export async function openSignedIn({ url, headers, folder }: Suite): Promise<Page> {
	// Test files share a profile, so that only the first one in each process downloads n8n's editor.
	const profile = path.join(folder, `chromium-${process.env.JEST_WORKER_ID}`);
	const context = await chromium.launchPersistentContext(profile, {
		...launchOptions(),
		...WINDOW,
	});
	const page = await openPage(context);
	const [cookie = ''] = (headers.cookie ?? '').split('; ');
	const [name = ''] = cookie.split('=');
	await context.addCookies([{ name, value: cookie.slice(name.length + 1), url }]);
	await page.addInitScript(
		(id) => localStorage.setItem('n8n-browserId', id),
		headers['browser-id'] ?? '',
	);
	return page;
}

async function openPage(context: BrowserContext): Promise<Page> {
	context.setDefaultTimeout(TIMEOUT_MS);
	return await context.newPage();
}

export async function closeBrowser(page: Page): Promise<void> {
	const browser = page.context().browser();
	await page.context().close();
	await browser?.close();
}
