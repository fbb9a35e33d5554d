import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Small enough for a page that somebody reads on the way. */
const MAX_BYTES = 150_000;

/** `npm run screenshots` sets it; any other run leaves the work tree as it is. */
const folder =
	process.env.SCREENSHOTS === 'docs' ? path.resolve(__dirname, '../../../docs/images') : undefined;

/** Messages that come and go. */
const passing =
	'.el-notification, [data-reka-popper-content-wrapper]:has([role="tooltip"]) { display: none !important }';

/** Takes a picture for the documentation, in light and in dark. */
export async function takePicture(page: Page, name: string, of?: Locator): Promise<void> {
	await page.mouse.move(600, 2);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		const picture = await (of ?? page).screenshot({
			animations: 'disabled',
			style: passing,
		});
		expect(picture.readUInt32BE(16)).toBeLessThanOrEqual(1200);
		expect(picture.length).toBeGreaterThan(5_000);
		expect(picture.length).toBeLessThan(MAX_BYTES);
		if (folder) save(folder, `${name}.${colorScheme}.png`, picture);
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

function save(folder: string, file: string, picture: Buffer): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, file), picture);
}
