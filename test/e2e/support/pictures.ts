// Takes the pictures of the documentation.
import { createCanvas, GifEncoder, loadImage } from '@napi-rs/canvas';
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
		if (isSaving) save(`${name}.${colorScheme}.png`, picture);
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
	const gif = new GifEncoder(first.width, first.height, { quality: 5 });
	for (const [index, frame] of frames.entries()) {
		const { left, top, width, height } = changedArea(frames[index - 1], frame);
		const delay = index === frames.length - 1 ? LAST_FRAME_MS : FRAME_MS;
		gif.addFrame(cut(frame, { left, top, width, height }), width, height, { delay, left, top });
	}
	const picture = gif.finish();
	expect(picture.length).toBeLessThan(MAX_BYTES.screencast);
	save(file, picture);
}

type Frame = Awaited<ReturnType<typeof readPixels>>;

interface Area {
	left: number;
	top: number;
	width: number;
	height: number;
}

async function readPixels(picture: Buffer) {
	const image = await loadImage(picture);
	const height = Math.round((image.height * WIDTH) / image.width);
	const context = createCanvas(WIDTH, height).getContext('2d');
	context.drawImage(image, 0, 0, WIDTH, height);
	return { data: context.getImageData(0, 0, WIDTH, height).data, width: WIDTH, height };
}

/** The smallest rectangle with all pixels that differ, to keep the file small. */
function changedArea(before: Frame | undefined, { data, width, height }: Frame): Area {
	if (!before) return { left: 0, top: 0, width, height };
	const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
	const old = new Uint32Array(before.data.buffer, before.data.byteOffset, width * height);
	let [left, top, right, bottom] = [width - 1, height - 1, 0, 0];
	for (let index = 0; index < pixels.length; index++) {
		if (pixels[index] === old[index]) continue;
		const x = index % width;
		const y = Math.floor(index / width);
		left = Math.min(left, x);
		right = Math.max(right, x);
		top = Math.min(top, y);
		bottom = Math.max(bottom, y);
	}
	// Without a change, one pixel keeps the pause.
	if (right < left) return { left: 0, top: 0, width: 1, height: 1 };
	return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function cut({ data, width }: Frame, area: Area): Uint8Array {
	const part = new Uint8Array(area.width * area.height * 4);
	for (let row = 0; row < area.height; row++) {
		const start = ((area.top + row) * width + area.left) * 4;
		part.set(data.subarray(start, start + area.width * 4), row * area.width * 4);
	}
	return part;
}
