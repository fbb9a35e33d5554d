// The shapes of the charts.
export const WIDTH = 760;

export const colors = ['#2f6fde', '#d9822b', '#e0b54c', '#4f9d69', '#7a8594'] as const;

export function svg(height: number, title: string, shapes: string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}" font-family="system-ui, sans-serif" font-size="13">
<rect width="100%" height="100%" rx="8" fill="#ffffff"/>
${text(20, 30, title, { size: 16, weight: 600 })}
${shapes.join('\n')}
</svg>
`;
}

interface TextStyle {
	size?: number;
	weight?: number;
	anchor?: 'start' | 'middle' | 'end';
	fill?: string;
}

export function text(x: number, y: number, content: string, style: TextStyle = {}): string {
	const { size = 13, weight = 400, anchor = 'start', fill = '#1f2733' } = style;
	return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}">${escape(content)}</text>`;
}

export function bar(x: number, y: number, width: number, height: number, fill: string): string {
	return `<rect x="${at(x)}" y="${at(y)}" width="${at(Math.max(width, 1))}" height="${at(height)}" rx="2" fill="${fill}"/>`;
}

export function line(points: Array<[number, number]>, stroke: string, width = 2): string {
	const path = points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ');
	return `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;
}

export function dot(x: number, y: number, fill: string): string {
	return `<circle cx="${at(x)}" cy="${at(y)}" r="3.5" fill="${fill}"/>`;
}

const at = (value: number) => String(Math.round(value * 10) / 10);

const escape = (content: string) =>
	content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
