const WIDTH = 760;
const LEFT = 215;
const LONGEST_BAR = 430;
const ROW = 23;

interface BarGroup {
	title: string;
	bars: Array<{ name: string; value: number; text: string; color: string }>;
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Bars as SVG. Each group has its own scale. The white background suits light and dark pages. */
export function barChart(groups: BarGroup[]): string {
	let y = 0;
	const text = (x: number, content: string, more = '') =>
		`<text x="${x}" y="${y}"${more}>${escape(content)}</text>`;
	const drawn = groups.flatMap(({ title, bars }) => {
		const longest = Math.max(...bars.map(({ value }) => value));
		y += 2 * ROW;
		const heading = text(16, title, ' font-weight="600"');
		const rows = bars.flatMap(({ name, value, text: label, color }) => {
			y += ROW;
			const width = Math.max(1, Math.round((value / longest) * LONGEST_BAR));
			return [
				text(LEFT - 8, name, ' text-anchor="end"'),
				`<rect x="${LEFT}" y="${y - 14}" width="${width}" height="18" fill="${color}"/>`,
				text(LEFT + width + 8, label),
			];
		});
		return [heading, ...rows];
	});
	const size = `width="${WIDTH}" height="${y + ROW}" viewBox="0 0 ${WIDTH} ${y + ROW}"`;
	const style = 'font-family="system-ui, sans-serif" font-size="13" fill="#1f2733"';
	const background = '<rect width="100%" height="100%" fill="#ffffff"/>';
	return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>\n${[background, ...drawn].join('\n')}\n</svg>\n`;
}
