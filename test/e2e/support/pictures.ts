// Takes the pictures of the documentation.
import { createCanvas, GifEncoder, loadImage } from '@napi-rs/canvas';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

const folder = path.resolve(__dirname, '../../../docs/images');

/** Only `npm run screenshots` saves pictures. Other runs change no files. */
const isSaving = process.env.SCREENSHOTS === 'docs';

/** Keeps the pages fast on mobile connections. */
const MAX_BYTES = { screenshot: 150_000, screencast: 3_000_000 };

/** Hides notifications and tooltips. */
const hideMessages =
	'.el-notification, [data-reka-popper-content-wrapper]:has([role="tooltip"]) { display: none !important }';

/** Takes a screenshot in light and dark mode. */
export async function takePicture(page: Page, name: string, of?: Locator): Promise<void> {
	await page.mouse.move(600, 2);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		const picture = await (of ?? page).screenshot({
			animations: 'disabled',
			style: hideMessages,
		});
		expect(picture.readUInt32BE(16)).toBeLessThanOrEqual(1200);
		expect(picture.length).toBeLessThan(MAX_BYTES.screenshot);
		if (!isSaving) continue;
		const file = `${name}.${colorScheme}.png`;
		save(file, picture);
		// Fewer colors take a third of the bytes.
		execFileSync('pngquant', ['--force', '--ext', '.png', path.join(folder, file)]);
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

function save(file: string, picture: Uint8Array): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, file), picture);
}

const WIDTH = 900;
const FRAME_MS = 1_500;
const LAST_FRAME_MS = 4_000;

const pictures: Buffer[] = [];

/** Adds what the page shows now to the screencast. */
export async function recordFrame(page: Page): Promise<void> {
	if (!isSaving) return;
	await page.waitForTimeout(400);
	pictures.push(await page.screenshot({ animations: 'disabled' }));
}

/** Saves all frames of a test file as a moving picture. */
export async function saveScreencast(file: string): Promise<void> {
	if (!isSaving) return;
	const frames = await Promise.all(pictures.map(readPixels));
	const [first] = frames;
	if (!first) throw new Error('Nothing was recorded');
	const gif = new GifEncoder(WIDTH, first.length, { quality: 5 });
	for (const [index, frame] of frames.entries()) {
		const { top, rows } = changedRows(frames[index - 1], frame);
		const delay = index === frames.length - 1 ? LAST_FRAME_MS : FRAME_MS;
		gif.addFrame(Buffer.concat(rows), WIDTH, rows.length, { delay, left: 0, top });
	}
	const picture = gif.finish();
	expect(picture.length).toBeLessThan(MAX_BYTES.screencast);
	save(file, picture);
}

/** The rows of pixels of a picture. */
async function readPixels(picture: Buffer) {
	const image = await loadImage(picture);
	const height = Math.round((image.height * WIDTH) / image.width);
	const context = createCanvas(WIDTH, height).getContext('2d');
	context.drawImage(image, 0, 0, WIDTH, height);
	const bytes = Buffer.from(context.getImageData(0, 0, WIDTH, height).data.buffer);
	return Array.from({ length: height }, (_, row) =>
		bytes.subarray(row * WIDTH * 4, (row + 1) * WIDTH * 4),
	);
}

/** From the first row that differs to the last one, to keep the file small. Without a change, one row keeps the pause. */
function changedRows(before: Buffer[] = [], rows: Buffer[]) {
	const differs = (row: Buffer, at: number) => !before[at]?.equals(row);
	const top = Math.max(0, rows.findIndex(differs));
	return { top, rows: rows.slice(top, Math.max(top, rows.findLastIndex(differs)) + 1) };
}
