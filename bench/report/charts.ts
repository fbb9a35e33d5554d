import { type EChartsOption, init } from 'echarts';

import { type Variant, VARIANTS } from '../job';
import type { GrowthLine, JobResults } from '../results';
import { formatFigure, jobTitle } from './table';

const LINE_COLORS = [VARIANTS.node, VARIANTS.httpRequest, VARIANTS.n8nRequests].map(
	({ color }) => color,
);
const WIDTH = 760;
const ROW_HEIGHT = 23;
const text = { color: '#1f2733', fontSize: 13 };
const bold = { ...text, fontWeight: 600 };
const emptyRow = { name: '', value: 0, label: { formatter: '' } };

/** One group of bars per job. Each group has its own scale. */
export function timeChart(jobs: JobResults[]): string {
	const rows = jobs.flatMap((job) => {
		const times = Object.entries(job.medians).map(
			([variant, { wallMs = 0 }]) => [variant as Variant, wallMs] as const,
		);
		const longest = Math.max(...times.map(([, wallMs]) => wallMs));
		const bars = times.map(([variant, wallMs]) => ({
			name: VARIANTS[variant].name,
			value: wallMs / longest,
			itemStyle: { color: VARIANTS[variant].color },
			label: { ...text, formatter: formatFigure('wallMs', wallMs) },
		}));
		const label = { ...bold, offset: [-204, 0], formatter: jobTitle(job) };
		return [emptyRow, { ...emptyRow, label }, ...bars];
	});
	return draw('Comparison: time', 60 + rows.length * ROW_HEIGHT, {
		grid: { left: 215, right: 110, top: 40, bottom: 20 },
		xAxis: { type: 'value', show: false, max: 1 },
		yAxis: {
			type: 'category',
			inverse: true,
			data: rows.map(({ name }) => name),
			axisLine: { show: false },
			axisTick: { show: false },
			axisLabel: { ...text, interval: 0 },
		},
		series: [{ type: 'bar', barWidth: 18, label: { show: true, position: 'right' }, data: rows }],
	});
}

/** Draws one line per job. Straight lines through the origin mean linear cost. */
export function growthChart(
	title: string,
	lines: GrowthLine[],
	figure: 'wallMs' | 'cpuMs',
): string {
	return draw(title, 400, {
		color: LINE_COLORS,
		grid: { left: 70, right: 170, top: 60, bottom: 60 },
		xAxis: {
			type: 'value',
			name: 'shipments',
			nameLocation: 'middle',
			nameGap: 32,
			nameTextStyle: text,
			axisLabel: text,
			splitLine: { show: false },
		},
		yAxis: { type: 'value', axisLabel: { ...text, formatter: '{value} s' } },
		series: lines.map(({ name, points }) => ({
			type: 'line',
			name,
			symbol: 'circle',
			symbolSize: 7,
			data: points.map((point) => [point.size, point[figure] / 1000]),
			endLabel: { ...bold, show: true, formatter: '{a}', distance: 12, color: 'inherit' },
		})),
	});
}

/** On a white background, which suits the light and the dark mode of GitHub. */
function draw(title: string, height: number, option: EChartsOption): string {
	const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		textStyle: { fontFamily: 'system-ui, sans-serif' },
		title: { text: title, left: 16, top: 14, textStyle: { ...bold, fontSize: 16 } },
		...option,
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}
