import type { CreationClient } from '../../nodes/ParcelShipping/creation/types';
import { mapParallel } from '../../nodes/ParcelShipping/transport/concurrency';
import type { ListedShipment, ShipmentDetail } from '../../nodes/ParcelShipping/transport/contract';

/** A client of a service in memory, for tests that need no HTTP. It records its requests. */
export function createMemoryClient(
	shipments: ListedShipment[],
	{ lists = 'rich', limit = 4, onCreate = () => {} }: Settings = {},
) {
	const requests: string[] = [];
	/** The references of each creation request. */
	const sent: string[][] = [];
	/** How many creation requests ran at the start of each. */
	const running: number[] = [];
	const pauses: number[] = [];
	let busy = 0;

	const list = ({ search, onlyMaster }: { search?: string; onlyMaster?: boolean }) => {
		requests.push(search ? `search ${search}` : 'list');
		return shipments
			.filter(
				({ packageNumberCustom, packageNumberOrder }) =>
					(!search || packageNumberCustom?.includes(search)) &&
					(!onlyMaster || packageNumberOrder === 1),
			)
			.map((shipment) => {
				const { id, carrierCode } = shipment;
				return (lists === 'rich' ? shipment : { id, carrierCode }) as ListedShipment;
			});
	};
	const client: CreationClient = {
		address: { base: 'https://service.example/api', origin: 'https://service.example' },
		isStopped: false,
		async call() {
			throw new Error('This service has no batches');
		},
		async createShipments(carrierCode, bodies) {
			sent.push(bodies.map(({ packageNumberCustom }) => packageNumberCustom));
			running.push(++busy);
			const result = bodies.map(({ packageNumberCustom }) => {
				const id = shipments.length + 1;
				const packageNumberCarrier = `N${id}`;
				shipments.push({ id, carrierCode, packageNumberCustom, packageNumberCarrier } as never);
				return { id, packageNumberCustom, statusCode: 200 };
			});
			await Promise.resolve();
			busy--;
			onCreate();
			return { result, batchId: 7 } as never;
		},
		findBatches: async () => ({ rows: [], total: 0 }),
		async findShipments(filter) {
			const rows = list(filter);
			return { rows: rows.slice(0, 100), total: rows.length };
		},
		async getShipment(carrierCode, id) {
			requests.push(`details ${id}`);
			const reference = shipments.find((shipment) => shipment.id === id)?.packageNumberCustom;
			const result = shipments.filter(
				(piece) => piece.packageNumberCustom === reference && piece.carrierCode === carrierCode,
			);
			return { result: result as ShipmentDetail[], correlationId: '' };
		},
		listShipments: async (filter, _limit, first) =>
			first && first.rows.length >= first.total ? first.rows : list(filter),
		mapParallel: async (items, work) => mapParallel(items, limit, work),
		pause: async (ms) => void pauses.push(ms),
	};
	return { client, requests, sent, running, pauses, shipments };
}

interface Settings {
	/** Documented lists have neither references nor carrier numbers. */
	lists?: 'rich' | 'documented';
	limit?: number;
	/** Runs after the service carried out a request, before it responds. */
	onCreate?: () => void;
}
