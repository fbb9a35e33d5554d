import fc from 'fast-check';
import { omit } from 'lodash';

import type { UnsafeEndpoint } from '../../nodes/ParcelShipping/transport/endpoints';
import type { PlainRequest, PlainResponse } from '../../sandbox/inProcess';

/** What a fault concerns: some requests of one group, counted through the whole history. */
export interface Fault {
	at: Group;
	/** The first request of the group that it concerns. */
	nth: number;
	times: number;
	how: keyof typeof FAULTS;
}

export interface Behavior {
	/** Whether the provider carries out the request; late: when nobody waits for it any more. */
	when: 'before' | 'after' | 'late';
	/** What the provider gets instead. */
	request?(request: PlainRequest): PlainRequest;
	/** What arrives: a response, the code of a network error, or nothing. */
	respond?(
		response: PlainResponse | undefined,
		random: () => number,
	): PlainResponse | string | undefined;
}

/** The group of each operation. The compiler asks for those that may happen only once. */
export const GROUPS: Readonly<Record<UnsafeEndpoint, Group> & Record<string, Group>> = {
	createShipments: 'create',
	createShipmentsOfCarrier: 'create',
	findShipments: 'list',
	getShipment: 'detail',
	getShipmentShort: 'detail',
	findBatches: 'batches',
	getBatch: 'batches',
	findCarriers: 'offers',
	findServices: 'offers',
	printLabels: 'labels',
	sendToPrinter: 'print',
	labelFile: 'files',
	cancelShipments: 'cancel',
	handOverShipments: 'handOver',
	findHandOvers: 'handOvers',
	trackShipments: 'track',
};

export type Group = keyof typeof POSSIBLE;

const json = (status: number, value: unknown, headers = {}): PlainResponse => ({
	...{ operation: null, status, body: typeof value === 'string' ? value : JSON.stringify(value) },
	headers: { 'content-type': 'application/json', ...headers },
});
const page = (status: number): PlainResponse => ({
	...{ operation: null, status, body: '<!doctype html><title>Sign in</title>' },
	headers: { 'content-type': 'text/html' },
});

const halfOf = ({ body } = json(0, '{"result":[{"id":')) =>
	String(body).slice(0, Math.ceil(body.length / 2));

const lost = (when: 'before' | 'after'): Record<string, Behavior> =>
	Object.fromEntries(
		Object.entries<Behavior['respond']>({
			reset: () => 'ECONNRESET',
			silence: () => undefined,
			status500: () => json(500, ''),
			status502: () => page(502),
			status503: () => ({ ...page(503), headers: { 'retry-after': '5' } }),
			status504: () => json(504, { message: 'Gateway timeout' }),
			page: () => page(200),
			redirect: () => ({ ...json(302, ''), headers: { location: 'https://elsewhere.test/' } }),
			nullResult: () => json(200, { result: null, correlationId: 'none' }),
			empty: () => json(200, ''),
			half: (response) => json(200, halfOf(response)),
			halfOf400: (response) => json(400, halfOf(response)),
		}).map(([name, respond]) => [
			`${when === 'before' ? 'not carried out' : 'carried out'}: ${name}`,
			{ when, ...(respond ? { respond } : {}) },
		]),
	);

interface Envelope {
	packagesCount?: number;
	result: Row[] | { data: Row[]; total: number };
}
interface Row {
	id?: number | string;
	packageNumberCustom?: string | null;
	statusCode?: number;
	/** Of a tracked shipment. */
	events?: Array<{ category: string }> | null;
}

/** The rows of a correct response in another form; null if there are none to change. */
function rewrite(
	change: (rows: Row[], random: () => number, envelope: Envelope) => Row[],
	status?: number,
): Behavior {
	return {
		when: 'after',
		respond(response, random) {
			if (!response?.body || typeof response.body !== 'string') return response;
			const envelope = JSON.parse(response.body) as Envelope;
			const { result } = envelope;
			if (Array.isArray(result)) envelope.result = change(result, random, envelope);
			else if (Array.isArray(result?.data)) result.data = change(result.data, random, envelope);
			// 400 without rows means that nothing was created.
			const isEmpty = Array.isArray(envelope.result) && envelope.result.length === 0;
			const changed = status ?? (isEmpty ? 200 : response.status);
			return { ...response, status: changed, body: JSON.stringify(envelope) };
		},
	};
}

const withReference = (reference: string | null) => (row: Row) => ({
	...row,
	packageNumberCustom: reference,
});

const refused = (respond: () => PlainResponse | string): Behavior => ({ when: 'before', respond });

export const FAULTS: Readonly<Record<string, Behavior>> = {
	...lost('before'),
	...lost('after'),
	'carried out late': { when: 'late' },
	'half carried out': {
		when: 'after',
		request(request) {
			const body = JSON.parse(request.body ?? 'null') as unknown;
			const half = (list: unknown[]) => list.slice(0, Math.ceil(list.length / 2));
			if (Array.isArray(body)) return { ...request, body: JSON.stringify(half(body)) };
			const { packages } = (body ?? {}) as { packages?: unknown[] };
			const less = packages ? { ...(body as object), packages: half(packages) } : body;
			return { ...request, body: JSON.stringify(less) };
		},
		respond: () => json(500, { message: 'Something went wrong' }),
	},
	'refused: 400': refused(() => json(400, { message: 'Bad request' })),
	'refused: 401': refused(() => json(401, { message: 'Invalid token' })),
	'refused: 403': refused(() => json(403, { message: 'Not allowed' })),
	'refused: 429': refused(() => json(429, { message: 'Too many requests' })),
	'refused: 429 for a time': refused(() => json(429, {}, { 'retry-after': '2' })),
	'refused: connection': refused(() => 'ECONNREFUSED'),
	'not found': refused(() => json(404, { message: 'There is no such shipment' })),
	'no endpoint': refused(() => json(404, '')),
	'rows reversed': rewrite((rows) => [...rows].reverse()),
	'a row twice': rewrite((rows) => [...rows.slice(-1), ...rows]),
	'no references': rewrite((rows) => rows.map(withReference(null))),
	'no references, reversed': rewrite((rows) => rows.map(withReference(null)).reverse()),
	'rows without IDs': rewrite((rows) => rows.map((row) => omit(row, 'id'))),
	'IDs as text': rewrite((rows) => rows.map((row) => ({ ...row, id: String(row.id) }))),
	'some row without its ID': rewrite((rows, random) => {
		const without = Math.floor(random() * rows.length);
		return rows.map((row, index) => (index === without ? omit(row, 'id') : row));
	}),
	'one reference': rewrite((rows) => rows.map(withReference(rows[0]?.packageNumberCustom ?? null))),
	'first row missing': rewrite((rows) => rows.slice(1)),
	'last row missing': rewrite((rows) => rows.slice(0, -1)),
	'some row missing': rewrite((rows, random) => {
		const missing = Math.floor(random() * rows.length);
		return rows.filter((_, index) => index !== missing);
	}),
	'no rows': rewrite(() => []),
	'rows not counted': rewrite((rows, _random, envelope) => {
		delete envelope.packagesCount;
		return rows;
	}),
	'a row is null': rewrite((rows) => [null as unknown as Row, ...rows]),
	'an error first': rewrite((rows) => [
		...rows.map((row) => ({ ...row, statusCode: 404 })),
		...rows,
	]),
	'one number fails': rewrite(([first, ...rows]) =>
		first ? [{ ...first, statusCode: 400, events: [] }, ...rows] : [],
	),
	'events missing': rewrite((rows) =>
		rows.map((row) => ({
			...row,
			events: row.events?.filter(({ category }, at) => category === 'Created' || at % 2) ?? null,
		})),
	),
	'400 with rows': rewrite((rows) => rows, 400),
	'500 with rows': rewrite((rows) => rows, 500),
};

const named = (pattern: RegExp) => Object.keys(FAULTS).filter((name) => pattern.test(name));
const LOST = named(/carried out/);
const REFUSED = named(/refused/);
const ROWS = named(/row|reference/);
const ROWS_OF_ALL = ['rows reversed', 'some row missing'];
const ROWS_OF_TRACKING = [
	...['some row missing', 'rows reversed', 'one number fails', 'events missing'],
	...['a row is null', 'an error first'],
];
const UNREADABLE = named(/^carried out: (?!silence)/);

/** What can go wrong with each group of requests. Each list is as likely as the others of its group. */
const POSSIBLE = {
	create: [LOST, LOST, REFUSED, ['no endpoint'], ROWS, ROWS],
	list: [UNREADABLE, REFUSED, ['rows reversed', 'a row twice', 'some row missing', 'IDs as text']],
	detail: [UNREADABLE, REFUSED, ['rows reversed', 'not found', 'not found']],
	batches: [UNREADABLE, REFUSED, ['no rows']],
	offers: [UNREADABLE, REFUSED],
	labels: [UNREADABLE.filter((name) => !/halfOf400/.test(name)), REFUSED],
	print: [LOST.filter((name) => !/half|empty/.test(name)), REFUSED],
	files: [UNREADABLE, REFUSED],
	cancel: [LOST, REFUSED, [...ROWS_OF_ALL, 'no rows', '400 with rows', 'a row is null']],
	// Only refused creations and cancellations are documented to be carried out in part.
	handOver: [LOST.filter((name) => !/halfOf400/.test(name)), REFUSED],
	handOvers: [UNREADABLE, REFUSED],
	track: [UNREADABLE, REFUSED, ROWS_OF_TRACKING],
} satisfies Record<string, string[][]>;

export const faultsAt = (...at: Group[]): fc.Arbitrary<Fault> =>
	fc.constantFrom(...at).chain((group) =>
		fc.record({
			at: fc.constant(group),
			nth: fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 5),
			times: fc.constantFrom(1, 1, 1, 2, 4),
			how: fc.oneof(...POSSIBLE[group].map((names) => fc.constantFrom(...names))),
		}),
	);

/** The responses to some requests of a group are lost, after they were carried out. */
export const lostAt = (at: Group): fc.Arbitrary<Fault> =>
	fc.record({
		at: fc.constant(at),
		nth: fc.constantFrom(1, 1, 2),
		times: fc.constantFrom(1, 2),
		how: fc.constantFrom(...named(/^carried out: /)),
	});

/** One of these faults each, from the first request of a group on. It counts more than the others of its group. */
export const withFaults = (at: Group, how: RegExp, times: number) =>
	named(how).map((name) => <History extends { faults: Fault[] }>({ faults }: History) => ({
		faults: [{ at, nth: 1, times, how: name }, ...faults],
	}));
