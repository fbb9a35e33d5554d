import { mapConcurrently } from './concurrency';
import { PAGE_LENGTH } from './contract';
import { ServiceFailure } from './errors';

export interface Page<Row> {
	rows: Row[];
	total: number;
}

type ReadPage<Row> = (start: number, length: number) => Promise<Page<Row>>;

/** Readings of a list that keeps changing, before it is given up. */
const MAX_SWEEPS = 5;

/** The first `limit` records, with as few requests as possible. */
export async function readSome<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	limit: number,
	maxConcurrency: number,
): Promise<Row[]> {
	const { rows } = await sweep(readPage, limit, maxConcurrency);
	return [...rows.values()].slice(0, limit);
}

/**
 * Every record. While pages are read, new records push others to later pages (seen twice) and
 * removed ones pull others to earlier pages (never seen). A sweep that shows a sign of either is
 * followed by another one, so that nothing is missing without a word. A `firstPage` that was read
 * already is not read again.
 */
export async function readAll<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	maxConcurrency: number,
	firstPage?: Page<Row>,
): Promise<Row[]> {
	for (let sweeps = 0; sweeps < MAX_SWEEPS; sweeps++) {
		const known = sweeps === 0 ? firstPage : undefined;
		const { rows, isConsistent } = await sweep(readPage, Infinity, maxConcurrency, known);
		if (isConsistent) return [...rows.values()];
	}
	throw new ServiceFailure({
		message: `The list kept changing while it was read (${MAX_SWEEPS} times)`,
		description:
			'Narrow it with a filter, for example by date, or run the workflow at a quieter time.',
		endpoint: 'Read all pages of a list',
		mayHaveActed: false,
		passing: true,
		cause: 'temporarily-unavailable',
	});
}

async function sweep<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	limit: number,
	maxConcurrency: number,
	firstPage?: Page<Row>,
): Promise<{ rows: Map<unknown, Row>; isConsistent: boolean }> {
	const first = firstPage ?? (await readPage(0, Math.min(limit, PAGE_LENGTH)));
	const wanted = Math.min(limit, first.total);
	// A service may hand out shorter pages than it was asked for.
	const stride = first.rows.length;
	const starts: number[] = [];
	for (let start = stride; stride > 0 && start < wanted; start += stride) starts.push(start);

	const rest = await mapConcurrently(starts, maxConcurrency, async (start) =>
		readPage(start, Math.min(stride, wanted - start)),
	);
	const pages = [first, ...rest];
	const rows = new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row]));
	return {
		rows,
		isConsistent: rows.size === wanted && pages.every((page) => page.total === first.total),
	};
}

/** What `result` of a paged endpoint holds, as a page. */
export function asPage<Row>(answer: { result: { data: Row[]; total: number } }): Page<Row> {
	return { rows: answer.result.data, total: answer.result.total };
}

/** `limit` records, `Infinity` for all of them. */
export async function readUpTo<Row extends { id: unknown }>(
	readPage: ReadPage<Row>,
	limit: number,
	maxConcurrency: number,
): Promise<Row[]> {
	return limit === Infinity
		? await readAll(readPage, maxConcurrency)
		: await readSome(readPage, limit, maxConcurrency);
}
