import type {
	LabelGroup,
	Printer,
	PrintLabelsRequest,
	SendToPrinterRequest,
} from '../contract.generated';
import type { Database, PrintableJob, StoredShipment } from './database';
import { DAY_MS } from './clock';
import type { LabelFormat, LabelLayout } from './seed';
import { ServiceError } from './validation';

export interface FileAddresses {
	ofHash<H extends string | null>(hash: H): H;
	ofShipment(id: number): string;
	ofProtocol(handOverId: number): string;
	ofTracking(packageNumberCarrier: string): string;
}

export interface PrintingContext {
	database: Database;
	nowMs: number;
	addresses: FileAddresses;
}

const hashValidityDays = 14;

/** Returns one group per carrier, in order of first appearance. */
export function printLabels(
	request: PrintLabelsRequest,
	format: LabelFormat,
	{ database, nowMs, addresses }: PrintingContext,
): LabelGroup[] {
	if (request.packages.length === 0) throw new ServiceError(400, 'The request lists no shipments');
	const shipmentsByCarrier = new Map<string, StoredShipment[]>();
	for (const shipment of printableShipments(request.packages, database)) {
		const ofCarrier = shipmentsByCarrier.get(shipment.carrierCode);
		if (ofCarrier) ofCarrier.push(shipment);
		else shipmentsByCarrier.set(shipment.carrierCode, [shipment]);
	}
	for (const code of shipmentsByCarrier.keys()) {
		if (!database.carrier(code)?.formats.includes(format)) {
			throw new ServiceError(400, `Carrier ${code} does not offer ${format.toUpperCase()} labels`);
		}
	}
	return [...shipmentsByCarrier].map(([carrierCode, shipments]) => {
		for (const shipment of shipments) shipment.printed = true;
		const carrier = database.carrier(carrierCode);
		const hash = database.addJob({
			createdMs: nowMs,
			content: 'labels',
			format,
			skip: request.skip ?? 0,
			layout: layoutOf(request.onePerPage, carrier?.defaultLayout ?? 'onePerPage'),
			carrierCode,
			shipmentIds: shipments.map((shipment) => shipment.id),
		});
		return {
			carrierCode,
			carrierName: carrier?.name ?? '',
			labelsUrl: addresses.ofHash(hash),
			labelsCount: shipments.length,
			hash,
		};
	});
}

function layoutOf(onePerPage: boolean | undefined, carrierDefault: LabelLayout): LabelLayout {
	if (onePerPage === undefined) return carrierDefault;
	return onePerPage ? 'onePerPage' : 'fourPerPage';
}

function printableShipments(ids: number[], database: Database): StoredShipment[] {
	const unknown = ids.filter((id) => !database.shipment(id));
	if (unknown.length > 0) {
		throw new ServiceError(404, `There are no shipments with these ids: ${unknown.join(', ')}`);
	}
	const shipments = ids.flatMap((id) => database.shipment(id) ?? []);
	const canceled = shipments.filter((shipment) => shipment.canceledMs !== null);
	if (canceled.length > 0) {
		const names = canceled.map((shipment) => shipment.id).join(', ');
		throw new ServiceError(400, `Canceled shipments have no label: ${names}`);
	}
	return shipments;
}

/** The print job that a hash refers to. Hashes expire. */
export function validJob(hash: string, database: Database, nowMs: number): PrintableJob {
	const job = database.jobs.get(hash);
	if (!job) throw new ServiceError(404, `The print hash ${JSON.stringify(hash)} is unknown`);
	if (nowMs - job.createdMs > hashValidityDays * DAY_MS) {
		throw new ServiceError(
			410,
			`The print hash has expired: it was valid for ${hashValidityDays} days`,
		);
	}
	return job;
}

export function listPrinters({ seed }: Database): Printer[] {
	return seed.printers.map(({ name, displayName, state }, index) => ({
		id: index + 1,
		computerName: 'SHIPPING-PC',
		printerName: name,
		name: displayName,
		printerStatus: state === 'unreachable' ? 'Offline' : 'Online',
	}));
}

/** Returns whether the printer accepted the job. */
export function sendToPrinter(request: SendToPrinterRequest, context: PrintingContext): boolean {
	const { database, nowMs } = context;
	const job = validJob(request.hash, database, nowMs);
	const printer = database.seed.printers.find(({ name }) => name === request.printerName);
	const name = JSON.stringify(request.printerName);
	if (!printer) {
		throw new ServiceError(404, `There is no printer ${name}`, [], request.printerName);
	}
	if (printer.state === 'unreachable') {
		throw new ServiceError(400, `Printer ${name} cannot be reached by the print service`);
	}
	if (printer.state === 'refusing') return false;
	for (const id of job.shipmentIds) {
		const shipment = database.shipment(id);
		if (shipment && job.content === 'labels') shipment.printed = true;
	}
	database.printJobs.push({
		hash: job.hash,
		printerName: printer.name,
		content: job.content,
		count: job.shipmentIds.length,
		shipmentIds: job.shipmentIds,
		atMs: nowMs,
	});
	return true;
}
