import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Keeps the pages fast on mobile connections. */
const MAX_BYTES = 150_000;

/** Only `npm run screenshots` saves screenshots. Other runs change no files. */
const folder =
	process.env.SCREENSHOTS === 'docs' ? path.resolve(__dirname, '../../../docs/images') : undefined;

/** Hides notifications and tooltips. */
const hideMessages =
	'.el-notification, [data-reka-popper-content-wrapper]:has([role="tooltip"]) { display: none !important }';

/** Takes a screenshot for the documentation in light and dark mode. */
export async function takePicture(page: Page, name: string, of?: Locator): Promise<void> {
	await page.mouse.move(600, 2);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		const picture = await (of ?? page).screenshot({
			animations: 'disabled',
			style: hideMessages,
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
