import path from 'node:path';
import { chromium, type Page, selectors } from 'playwright-core';

import type { Suite } from './n8n';

/** Long, because other processes may slow down the machine. */
const TIMEOUT_MS = 30_000;

const ARGUMENTS =
	'--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync --disable-background-networking --disable-component-update';

/** Wide enough for the complete view of a node. Screenshots are scaled to a width of 1200 pixels. */
const WINDOW = {
	viewport: { width: 1340, height: 800 },
	deviceScaleFactor: 1200 / 1340,
	colorScheme: 'light',
} as const;

/** Opens a window of a new user, or one with the session of the suite: n8n limits sign-ins per minute. */
export async function openWindow(suite?: Suite): Promise<Page> {
	selectors.setTestIdAttribute('data-test-id');
	// Test files share a profile, so that only the first one in each process downloads n8n's editor.
	const profile = suite ? path.join(suite.folder, `chromium-${process.env.JEST_WORKER_ID}`) : '';
	const context = await chromium.launchPersistentContext(profile, {
		...WINDOW,
		// On systems other than Debian, the variable has the path of Chromium or Chrome.
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		args: ARGUMENTS.split(' '),
	});
	context.setDefaultTimeout(TIMEOUT_MS);
	const page = await context.newPage();
	if (suite) {
		const { cookie = '', 'browser-id': browserId = '' } = suite.headers;
		const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
		await context.addCookies([{ name, value, url: suite.url }]);
		await page.addInitScript((id) => localStorage.setItem('n8n-browserId', id), browserId);
	}
	return page;
}
