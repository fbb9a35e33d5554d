import type {
	LabelGroup,
	Printer,
	PrintLabelsRequest,
	SendToPrinterRequest,
} from '../../contract/types.generated';
import { groupBy } from 'lodash';
import type { Database, PrintableJob, StoredShipment } from './database';
import { DAY_MS, localTimestamp } from './clock';
import type { ShipmentContext } from './shipments';
import { ServiceError } from './validation';

const hashValidityDays = 14;

export function printLabels(
	request: PrintLabelsRequest,
	format: string,
	{ database, nowMs, addresses }: ShipmentContext,
): LabelGroup[] {
	if (format !== 'pdf' && format !== 'zpl') {
		throw new ServiceError(400, `Query parameter type must be pdf or zpl, not "${format}"`);
	}
	if (request.packages.length === 0) throw new ServiceError(400, 'The request lists no shipments');
	const byCarrier = groupBy(printableShipments(request.packages, database), 'carrierCode');
	const carriers = Object.keys(byCarrier).flatMap((code) => database.carrier(code) ?? []);
	const refusing = carriers.find(({ formats }) => !formats.includes(format));
	if (refusing) {
		const problem = `does not offer ${format.toUpperCase()} labels`;
		throw new ServiceError(400, `Carrier ${refusing.code} ${problem}`);
	}
	return carriers.map(({ code: carrierCode, name: carrierName, defaultLayout }) => {
		const shipments = byCarrier[carrierCode] ?? [];
		for (const shipment of shipments) shipment.printed = true;
		const { onePerPage, skip = 0 } = request;
		const wanted = onePerPage ? 'onePerPage' : 'fourPerPage';
		const hash = database.addJob({
			createdMs: nowMs,
			format,
			skip,
			layout: onePerPage === undefined ? defaultLayout : wanted,
			carrierCode,
			shipmentIds: shipments.map(({ id }) => id),
		});
		const labelsUrl = addresses.ofHash(hash);
		return { carrierCode, carrierName, labelsUrl, labelsCount: shipments.length, hash };
	});
}

function printableShipments(ids: number[], database: Database): StoredShipment[] {
	const refuse = (status: number, problem: string, refused: number[]) => {
		if (refused.length > 0) throw new ServiceError(status, `${problem}: ${refused.join(', ')}`);
	};
	const isCanceled = (id: number) => database.shipment(id)?.canceledMs !== null;
	refuse(
		404,
		'There are no shipments with these ids',
		ids.filter((id) => !database.shipment(id)),
	);
	refuse(400, 'Canceled shipments have no label', ids.filter(isCanceled));
	return ids.flatMap((id) => database.shipment(id) ?? []);
}

export function validJob(hash: string, database: Database, nowMs: number): PrintableJob {
	const job = database.jobs.get(hash);
	if (!job) throw new ServiceError(404, `The print hash ${JSON.stringify(hash)} is unknown`);
	if (nowMs - job.createdMs > hashValidityDays * DAY_MS) {
		throw new ServiceError(410, 'The print hash has expired');
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

export function sendToPrinter(request: SendToPrinterRequest, context: ShipmentContext): boolean {
	const { database, nowMs } = context;
	const job = validJob(request.hash, database, nowMs);
	const printer = database.seed.printers.find(({ name }) => name === request.printerName);
	const name = JSON.stringify(request.printerName);
	if (!printer) throw new ServiceError(404, `There is no printer ${name}`, [], request.printerName);
	if (printer.state === 'unreachable')
		throw new ServiceError(400, `Printer ${name} cannot be reached by the print service`);
	if (printer.state === 'refusing') return false;
	for (const id of job.shipmentIds) {
		const shipment = database.shipment(id);
		if (shipment) shipment.printed = true;
	}
	database.printJobs.push({
		hash: job.hash,
		printerName: printer.name,
		count: job.shipmentIds.length,
		shipmentIds: job.shipmentIds,
		printed: localTimestamp(nowMs),
	});
	return true;
}
