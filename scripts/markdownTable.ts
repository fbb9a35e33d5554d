/** A table in Markdown, whose cells may contain vertical bars. */
export function markdownTable(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
