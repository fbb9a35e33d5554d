import { batchDetail, findBatches } from './domain/batches';
import type { PrintJob, StoredShipment } from './domain/books';
import { listCarriers } from './domain/carriers';
import { localTimestamp } from './domain/clock';
import { findShipments } from './domain/shipments';
import { contextOf, type ServiceState } from './http/state';
import type { BookedPrintJob, BookedShipment, Sandbox, SandboxState } from './sandbox';

export function bookedShipment(shipment: StoredShipment): BookedShipment {
	return {
		id: shipment.id,
		mainId: shipment.mainId,
		batchId: shipment.batchId,
		carrierCode: shipment.carrierCode,
		serviceType: shipment.serviceType,
		packageNumberCarrier: shipment.packageNumberCarrier,
		packageNumberCustom: shipment.input.packageNumberCustom,
		pieceIndex: shipment.pieceIndex,
		pieceCount: shipment.pieceCount,
		created: localTimestamp(shipment.createdMs),
		canceled: shipment.canceledMs !== null,
		printed: shipment.printed,
		input: shipment.input,
	};
}

function bookedPrintJob({ atMs, ...job }: PrintJob): BookedPrintJob {
	return { ...job, printed: localTimestamp(atMs) };
}

export function viewsOf(state: ServiceState): Sandbox['books'] {
	return {
		shipments: () => state.books.shipments.map(bookedShipment),
		batches: () => state.books.batches.map(({ id }) => batchDetail(id, contextOf(state))),
		printJobs: () => state.books.printJobs.map(bookedPrintJob),
		carriers: () => listCarriers(state.books),
	};
}

/** What the home page shows. */
export function describeState(state: ServiceState): SandboxState {
	const context = { ...contextOf(state), listRecords: 'rich' as const };
	const shipments = findShipments({ length: 100 }, context);
	return {
		now: localTimestamp(state.clock.nowMs()),
		carriers: listCarriers(state.books),
		printers: state.books.seed.printers,
		shipments: shipments.data,
		shipmentsTotal: shipments.total,
		batches: findBatches({ length: 100 }, context).data,
		printJobs: state.books.printJobs.map(bookedPrintJob).reverse(),
		signIns: state.sessions.signIns,
	};
}
