import { type FigureName, type Way, wayNames } from '../job';
import type { GrowthLine, MeasuredJob } from '../measured';
import { bar, colours, dot, line, svg, text, WIDTH } from './svg';
import { round, titleOf, withUnit } from './words';

const COLOUR_OF: Readonly<Record<Way, string>> = {
	node: colours[0],
	httpRequest: colours[1],
	httpRequestInBatches: colours[2],
	n8nRequests: colours[3],
	bare: colours[4],
};

const LABELS = 230;
const BAR = 18;

/** One group of bars per job, each group on a scale of its own. */
export function barChart(title: string, jobs: MeasuredJob[], figure: FigureName): string {
	const shapes: string[] = [];
	let y = 62;
	for (const { title: job, medians } of jobs) {
		const ways = Object.keys(medians) as Way[];
		const valueOf = (way: Way) => medians[way]?.[figure] ?? 0;
		const longest = Math.max(...ways.map(valueOf));
		shapes.push(text(20, y, job, { weight: 600 }));
		y += 10;
		for (const way of ways) {
			const width = (valueOf(way) / longest) * (WIDTH - LABELS - 110);
			shapes.push(text(LABELS - 10, y + 13, wayNames[way], { anchor: 'end' }));
			shapes.push(bar(LABELS, y, width, BAR, COLOUR_OF[way]));
			shapes.push(text(LABELS + width + 6, y + 13, withUnit(figure, valueOf(way))));
			y += BAR + 4;
		}
		y += 26;
	}
	return svg(y - 10, `${title}: ${titleOf(figure).toLowerCase()}`, shapes);
}

const PLOT = { left: 80, top: 60, width: 480, height: 280 };

/** Straight lines through the origin mean that twice the shipments cost twice as much. */
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
		text(PLOT.left - 8, y(maxMs * part) + 4, `${round((maxMs * part) / 1000)} s`, {
			anchor: 'end',
		}),
	]);
	const sizes = (lines[0]?.points ?? [])
		.filter(({ size }) => size >= maxSize / 10)
		.map(({ size }) => text(x(size), bottom + 20, size.toLocaleString('en'), { anchor: 'middle' }));
	const drawn = lines.flatMap(({ name, points: own }, index) => {
		const colour = colours[index % colours.length] as string;
		const last = own.at(-1);
		return [
			line(
				own.map((point) => [x(point.size), y(point[figure])]),
				colour,
			),
			...own.map((point) => dot(x(point.size), y(point[figure]), colour)),
			last ? text(x(last.size) + 12, y(last[figure]) + 4, name, { fill: colour, weight: 600 }) : '',
		];
	});
	const below = text(PLOT.left + PLOT.width / 2, bottom + 42, 'shipments', { anchor: 'middle' });
	return svg(bottom + 60, title, [...grid, ...sizes, below, ...drawn]);
}
