import { batchDetail, findBatches } from './domain/batches';
import type { PrintJob, StoredShipment } from './domain/database';
import { listCarriers } from './domain/carriers';
import { localTimestamp } from './domain/clock';
import { findShipments } from './domain/shipments';
import { visibleEvents } from './domain/tracking';
import { contextOf, type ServiceState } from './http/state';
import type { SandboxPrintJob, SandboxShipment, Sandbox, SandboxState } from './sandbox';

export function sandboxShipment(shipment: StoredShipment): SandboxShipment {
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
		handedOver: shipment.submittedMs !== null,
		printed: shipment.printed,
		input: shipment.input,
	};
}

function sandboxPrintJob({ atMs, ...job }: PrintJob): SandboxPrintJob {
	return { ...job, printed: localTimestamp(atMs) };
}

export function databaseView(state: ServiceState): Sandbox['database'] {
	return {
		shipments: () => state.database.shipments.map(sandboxShipment),
		batches: () =>
			state.database.batches.map(({ id }) =>
				batchDetail(id, { ...contextOf(state), listLagMs: 0 }),
			),
		handOvers: () => structuredClone(state.database.handOvers),
		printJobs: () => state.database.printJobs.map(sandboxPrintJob),
		carriers: () => listCarriers(state.database),
	};
}

/** The state that the home page shows. */
export function describeState(state: ServiceState): SandboxState {
	const context = { ...contextOf(state), listRecords: 'rich' as const, listLagMs: 0 };
	const pieces = findShipments({ length: 100 }, context);
	const { database } = state;
	return {
		now: localTimestamp(state.clock.nowMs()),
		carriers: listCarriers(database),
		printers: database.seed.printers,
		shipments: pieces.data.map((piece) => {
			const stored = database.shipment(Number(piece.id)) as StoredShipment;
			const { pieceIndex, pieceCount, serviceType } = stored;
			const serviceName = database.service(serviceType)?.service.name ?? serviceType;
			const events = visibleEvents(stored, context).map(({ date, name }) => ({ date, name }));
			return { ...piece, pieceIndex, pieceCount, serviceName, events };
		}),
		piecesTotal: pieces.total,
		shipmentsTotal: database.shipments.filter(({ id, mainId }) => id === mainId).length,
		batches: findBatches({ length: 100 }, context).data,
		printJobs: state.database.printJobs.map(sandboxPrintJob).reverse(),
		signIns: state.sessions.signIns,
	};
}
