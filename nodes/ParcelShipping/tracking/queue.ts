import { chunk, groupBy } from '../lists';
import type { WatchedShipment, WatchState } from './state';

/** Not a documented limit: as many as a page holds keeps requests and answers of a moderate size. */
const NUMBERS_PER_REQUEST = 100;

/** Shipments of one carrier that are asked together. */
export interface Group {
	carrier: string;
	shipments: WatchedShipment[];
}

/** The shipments to ask now, the longest unasked first. */
export function selectDue(state: WatchState, nowMs: number): WatchedShipment[] {
	return state.shipments.filter(
		({ listed, isResting, dueAt }) =>
			listed !== 'no' && !isResting && (dueAt === undefined || dueAt <= nowMs),
	);
}

/** As few requests as possible, the one with the longest unasked shipment first. */
export function groupByCarrier(due: readonly WatchedShipment[]): Group[] {
	const places = new Map(due.map((shipment, place) => [shipment, place]));
	const placeOf = ({ shipments: [first] }: Group) => (first ? (places.get(first) ?? 0) : 0);
	return [...groupBy(due, ({ carrier }) => carrier)]
		.flatMap(([carrier, shipments]) =>
			chunk(shipments, NUMBERS_PER_REQUEST).map((part) => ({ carrier, shipments: part })),
		)
		.sort((a, b) => placeOf(a) - placeOf(b));
}

/** What became of the shipments of one poll, by the shipment as it was before. */
export interface Asked {
	answered: Map<WatchedShipment, WatchedShipment>;
	failed: Map<WatchedShipment, WatchedShipment>;
}

/**
 * The order for the next poll: first those for which there was no time, then those that were asked
 * in vain, then those that answered. So everyone gets a turn, also behind a carrier that never
 * answers.
 */
export function requeue(shipments: readonly WatchedShipment[], asked: Asked): WatchedShipment[] {
	const { answered, failed } = asked;
	return [
		...shipments.filter((shipment) => !answered.has(shipment) && !failed.has(shipment)),
		...failed.values(),
		...answered.values(),
	];
}
