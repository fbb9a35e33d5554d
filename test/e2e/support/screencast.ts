import { createCanvas, GifEncoder, loadImage } from '@napi-rs/canvas';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const WIDTH = 900;
const FRAME_MS = 1_100;
const LAST_FRAME_MS = 4_000;

/** Larger files are slow to load on the page of the package. */
const MAX_BYTES = 3_000_000;

/** Only `npm run screencast` records. Other runs change no files. */
const isRecording = process.env.SCREENCAST === 'docs';

const pictures: Buffer[] = [];

/** Adds what the page shows now. */
export async function recordFrame(page: Page): Promise<void> {
	if (!isRecording) return;
	await page.waitForTimeout(400);
	pictures.push(await page.screenshot({ animations: 'disabled' }));
}

/** Saves all frames as a moving picture for README. */
export async function saveScreencast(): Promise<void> {
	if (!isRecording) return;
	const frames = await Promise.all(pictures.map(readPixels));
	const [first] = frames;
	if (!first) throw new Error('Nothing was recorded');
	const { width, height } = first;
	const gif = new GifEncoder(width, height, { quality: 5 });
	for (const [index, frame] of frames.entries()) {
		const area =
			index === 0 ? { left: 0, top: 0, width, height } : changedArea(frames[index - 1], frame);
		const delay = index === frames.length - 1 ? LAST_FRAME_MS : FRAME_MS;
		const { left, top } = area;
		gif.addFrame(cut(frame, area), area.width, area.height, { delay, left, top });
	}
	const file = gif.finish();
	expect(file.length).toBeLessThan(MAX_BYTES);
	writeFileSync(path.resolve(__dirname, '../../../docs/images/order-to-label.gif'), file);
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
	const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
	const old = before && new Uint32Array(before.data.buffer, before.data.byteOffset, width * height);
	let [left, top, right, bottom] = [width - 1, height - 1, 0, 0];
	for (let index = 0; index < pixels.length; index++) {
		if (pixels[index] === old?.[index]) continue;
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
