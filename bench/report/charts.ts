import { type FigureName, type Variant, variantNames } from '../job';
import type { GrowthLine, JobResults } from '../results';
import { formatFigure, formatNumber, titleOf } from './format';
import { bar, colors, dot, line, svg, text, WIDTH } from './svg';

const COLOR_OF: Readonly<Record<Variant, string>> = {
	node: colors[0],
	httpRequest: colors[1],
	httpRequestInBatches: colors[2],
	n8nRequests: colors[3],
	bare: colors[4],
};

const CAPTION_WIDTH = 230;
const BAR_HEIGHT = 18;

/** One group of bars per job. Each group has its own scale. */
export function barChart(title: string, jobs: JobResults[], figure: FigureName): string {
	const shapes: string[] = [];
	let y = 62;
	for (const { title: job, medians } of jobs) {
		const variants = Object.keys(medians) as Variant[];
		const valueOf = (variant: Variant) => medians[variant]?.[figure] ?? 0;
		const longest = Math.max(...variants.map(valueOf));
		shapes.push(text(20, y, job, { weight: 600 }));
		y += 10;
		for (const variant of variants) {
			const width = (valueOf(variant) / longest) * (WIDTH - CAPTION_WIDTH - 110);
			shapes.push(text(CAPTION_WIDTH - 10, y + 13, variantNames[variant], { anchor: 'end' }));
			shapes.push(bar(CAPTION_WIDTH, y, width, BAR_HEIGHT, COLOR_OF[variant]));
			shapes.push(text(CAPTION_WIDTH + width + 6, y + 13, formatFigure(figure, valueOf(variant))));
			y += BAR_HEIGHT + 4;
		}
		y += 26;
	}
	return svg(y - 10, `${title}: ${titleOf(figure).toLowerCase()}`, shapes);
}

const PLOT = { left: 80, top: 60, width: 480, height: 280 };

/** Draws one line per job. Straight lines through the origin mean linear cost. */
export function growthChart(
	title: string,
	lines: GrowthLine[],
	figure: 'wallMs' | 'cpuMs',
): string {
	const points = lines.flatMap((each) => each.points);
	const maxSize = Math.max(...points.map(({ size }) => size));
	const maxMs = Math.max(...points.map((point) => point[figure]));
	const x = (size: number) => PLOT.left + (size / maxSize) * PLOT.width;
	const y = (ms: number) => PLOT.top + PLOT.height - (ms / maxMs) * PLOT.height;
	const bottom = y(0);

	const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
		line(
			[
				[PLOT.left, y(maxMs * part)],
				[PLOT.left + PLOT.width, y(maxMs * part)],
			],
			'#e3e7ee',
			1,
		),
		text(PLOT.left - 8, y(maxMs * part) + 4, `${formatNumber((maxMs * part) / 1000)} s`, {
			anchor: 'end',
		}),
	]);
	const sizes = (lines[0]?.points ?? [])
		.filter(({ size }) => size >= maxSize / 10)
		.map(({ size }) => text(x(size), bottom + 20, size.toLocaleString('en'), { anchor: 'middle' }));
	const drawn = lines.flatMap(({ name, points: own }, index) => {
		const color = colors[index % colors.length] as string;
		const last = own.at(-1);
		return [
			line(
				own.map((point) => [x(point.size), y(point[figure])]),
				color,
			),
			...own.map((point) => dot(x(point.size), y(point[figure]), color)),
			last ? text(x(last.size) + 12, y(last[figure]) + 4, name, { fill: color, weight: 600 }) : '',
		];
	});
	const axisTitle = text(PLOT.left + PLOT.width / 2, bottom + 42, 'shipments', {
		anchor: 'middle',
	});
	return svg(bottom + 60, title, [...grid, ...sizes, axisTitle, ...drawn]);
}
