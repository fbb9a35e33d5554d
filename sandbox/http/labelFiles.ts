import type { PrintableJob, StoredShipment } from '../domain/database';
import { validJob } from '../domain/printing';
import { ServiceError } from '../domain/validation';
import type { ServiceState } from './state';

/** What a file contains, before it is rendered. The interface document does not specify its layout. */
export interface FileContents extends Pick<PrintableJob, 'format' | 'layout' | 'skip'> {
	name: string;
	shipments: StoredShipment[];
	lines?: string[];
}

export function jobFile(hash: string, { database, clock }: ServiceState): FileContents {
	const job = validJob(hash, database, clock.nowMs());
	const shipments = job.shipmentIds.flatMap((id) => database.shipment(id) ?? []);
	return { ...job, name: `labels-${job.carrierCode}`, shipments };
}

export function shipmentLabelFile(id: number, { database }: ServiceState): FileContents {
	const shipment = database.shipment(id);
	if (!shipment) throw new ServiceError(404, `There is no shipment with id ${id}`);
	return { name: `label-${id}`, format: 'pdf', layout: 'onePerPage', shipments: [shipment] };
}

/** What the driver signs: the numbers of all pieces that were handed over. */
export function protocolFile(id: number, { database }: ServiceState): FileContents {
	const handOver = database.handOvers.find((each) => each.id === id);
	if (!handOver) throw new ServiceError(404, `There is no hand-over with id ${id}`);
	const { carrierCode, date, shipmentIds } = handOver;
	const shipments = shipmentIds.flatMap((shipmentId) => database.pieces(shipmentId));
	const lines = [
		`Hand over ${id} to ${carrierCode}, ${date}, ${shipments.length} pieces`,
		...shipments.map(({ packageNumberCarrier }) => packageNumberCarrier),
	];
	const name = `protocol-${carrierCode}-${id}`;
	return { name, format: 'pdf', layout: 'onePerPage', shipments, lines };
}

export function fileHeaders({ name, format }: FileContents): Record<string, string> {
	return {
		'content-type': format === 'pdf' ? 'application/pdf' : 'application/zpl',
		'content-disposition': `attachment; filename="${name}.${format}"`,
	};
}
