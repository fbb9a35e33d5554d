import { PAGE_LENGTH } from './contract';
import { ServiceError } from './errors';

export interface Page<Row> {
	rows: Row[];
	total: number;
}

export type ReadPage<Row> = (start: number, length: number) => Promise<Page<Row>>;

/** Runs a function for every start position, in parallel as far as the client allows. */
type MapParallel = <Result>(
	starts: readonly number[],
	work: (start: number) => Promise<Result>,
) => Promise<Result[]>;

/** How often a list that keeps changing is read before giving up. */
const MAX_READS = 5;

/** The first `limit` records, `Infinity` for all, with as few requests as possible. */
export async function readList<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	limit: number,
	mapParallel: MapParallel,
	firstPage?: Page<Row>,
): Promise<Row[]> {
	if (limit === Infinity) return await readAll(readPage, mapParallel, firstPage);
	const { rows } = await readPages(readPage, limit, mapParallel, firstPage);
	return [...rows.values()].slice(0, limit);
}

/**
 * Every record. While the pages are read, new records push others to later pages (they appear twice)
 * and removed ones pull others to earlier pages (they never appear). If there is a sign of either,
 * the list is read again, so that no record is missing without an error.
 */
async function readAll<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	mapParallel: MapParallel,
	firstPage?: Page<Row>,
): Promise<Row[]> {
	for (let reads = 0; reads < MAX_READS; reads++) {
		const known = reads === 0 ? firstPage : undefined;
		const { rows, isConsistent } = await readPages(readPage, Infinity, mapParallel, known);
		if (isConsistent) return [...rows.values()];
	}
	throw new ServiceError({
		message: `The list kept changing while it was read (${MAX_READS} times)`,
		description:
			'Narrow it with a filter, for example by date, or run the workflow at a quieter time.',
		endpoint: 'Read all pages of a list',
		mayHaveActed: false,
		isTransient: true,
		cause: 'temporarily-unavailable',
	});
}

async function readPages<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	limit: number,
	mapParallel: MapParallel,
	firstPage?: Page<Row>,
): Promise<{ rows: Map<unknown, Row>; isConsistent: boolean }> {
	const first = firstPage ?? (await readPage(0, Math.min(limit, PAGE_LENGTH)));
	const wanted = Math.min(limit, first.total);
	// A service may return shorter pages than requested.
	const pageLength = first.rows.length;
	const starts: number[] = [];
	for (let start = pageLength; pageLength > 0 && start < wanted; start += pageLength) {
		starts.push(start);
	}
	const rest = await mapParallel(starts, async (start) =>
		readPage(start, Math.min(pageLength, wanted - start)),
	);
	const pages = [first, ...rest];
	const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row]));
	return {
		rows,
		isConsistent: rows.size === wanted && pages.every((page) => page.total === first.total),
	};
}

/** Reads `result` of a paged endpoint as a page. */
export function toPage<Row>(response: { result: { data: Row[]; total: number } }): Page<Row> {
	return { rows: response.result.data, total: response.result.total };
}
