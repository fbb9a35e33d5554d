import type {
	BatchOrder,
	CreatedShipment,
	CreationEnvelope,
	ShipmentCreation,
} from '../contract.generated';
import type { Database, StoredBatch, StoredShipment } from './database';
import type { SeedCarrier } from './seed';
import { numberOf, type ShipmentContext } from './shipments';
import { ServiceError, validateShipment } from './validation';

// The interface document does not specify the following, so the sandbox defines it:
// - Every piece is a shipment with its own id and carrier number. The first is the main shipment.
// - pieceIndex starts at 0 (1 in the documented dialect).
// - A refused row has id 0, the pieceIndex of a first piece, and empty strings for missing values.
// - packagesCount counts created pieces, ordersCount the objects in the request, and errorsCount the
//   refused ones. The batch has the carrier of the first shipment with a known service.
// - orderId in the orders of a batch is 0 when no order is attached (it is never null there).
// - The same packageNumberCustom can be created any number of times.
// - If everything is refused, the batch still exists, without labels.

export interface CreationContext extends ShipmentContext {
	firstPieceIndex: number;
	carrierInPath: string | null;
	/** Additional errors of a shipment. */
	validate(input: ShipmentCreation): string[];
}

export type CreationResult = Omit<CreationEnvelope, 'correlationId'>;

export function createBatch(inputs: ShipmentCreation[], context: CreationContext): CreationResult {
	const { database, nowMs, addresses } = context;
	if (inputs.length === 0) throw new ServiceError(400, 'The request contains no shipments');
	const carrierCodes = inputs.map((input) => database.service(input.serviceType)?.carrier.code);
	const batchId = database.nextBatchId();
	const batch: StoredBatch = {
		id: batchId,
		carrierCode: carrierCodes.find(Boolean) ?? context.carrierInPath ?? '',
		createdMs: nowMs,
		ordersCount: inputs.length,
		packagesCount: 0,
		errorsCount: 0,
		labelsHash: null,
		ordersHash: null,
		archivedMs: null,
		orders: [],
	};
	const rows: CreatedShipment[] = [];
	const created: StoredShipment[] = [];
	for (const [index, input] of inputs.entries()) {
		const inputRows = createOne(input, batchId, created, context);
		const carrierCode = carrierCodes[index] ?? batch.carrierCode;
		batch.orders.push(...inputRows.map((row) => batchOrder(row, input, carrierCode)));
		if (inputRows.some((row) => row.statusCode !== 200)) batch.errorsCount++;
		rows.push(...inputRows);
	}
	batch.packagesCount = created.length;
	batch.labelsHash = addJob(created, 'labels', context);
	const withOrder = created.filter((shipment) => shipment.input.orderId !== undefined);
	batch.ordersHash = addJob(withOrder, 'orders', context);
	database.addBatch(batch);
	return {
		result: rows,
		labelsUrl: addresses.ofHash(batch.labelsHash),
		labelsHash: batch.labelsHash,
		ordersUrl: addresses.ofHash(batch.ordersHash),
		ordersHash: batch.ordersHash,
		packagesCount: batch.packagesCount,
		batchId,
	};
}

function createOne(
	input: ShipmentCreation,
	batchId: number,
	created: StoredShipment[],
	context: CreationContext,
): CreatedShipment[] {
	const errors = [
		...validateShipment(input, context.database, context.carrierInPath),
		...context.validate(input),
	];
	const carrier = context.database.service(input.serviceType)?.carrier;
	if (errors.length > 0 || !carrier) return [refusedRow(input, errors, context)];
	const pieces = storePieces(input, carrier, batchId, context);
	created.push(...pieces);
	return pieces.map((piece) => createdRow(piece, context));
}

export function storePieces(
	input: ShipmentCreation,
	carrier: SeedCarrier,
	batchId: number,
	context: Pick<CreationContext, 'database' | 'nowMs'>,
	/** Instead of the next number of the carrier. */
	number?: string,
): StoredShipment[] {
	const pieceCount = input.pieceCount ?? 1;
	const pieces: StoredShipment[] = [];
	for (let index = 0; index < pieceCount; index++) {
		const id = context.database.nextShipmentId();
		const piece: StoredShipment = {
			id,
			mainId: pieces[0]?.id ?? id,
			batchId,
			carrierCode: carrier.code,
			serviceType: input.serviceType,
			packageNumberCarrier:
				number !== undefined && index === 0
					? number
					: carrier.numbers.prefix + String(id).padStart(carrier.numbers.digits, '0'),
			pieceIndex: index,
			pieceCount,
			createdMs: context.nowMs,
			input,
			printed: false,
			submittedMs: null,
			canceledMs: null,
			addedEvents: [],
		};
		context.database.addShipment(piece);
		pieces.push(piece);
	}
	return pieces;
}

export function addJob(
	shipments: StoredShipment[],
	content: 'labels' | 'orders',
	{ database, nowMs }: Pick<CreationContext, 'database' | 'nowMs'>,
): string | null {
	const carrier = database.carrier(shipments[0]?.carrierCode ?? '');
	if (!carrier) return null;
	return database.addJob({
		createdMs: nowMs,
		content,
		format: 'pdf',
		layout: carrier.defaultLayout,
		carrierCode: carrier.code,
		shipmentIds: shipments.map((shipment) => shipment.id),
	});
}

function orderOf(database: Database, orderId: number | null | undefined) {
	return database.seed.orders.find((order) => order.id === orderId);
}

function createdRow(piece: StoredShipment, context: CreationContext): CreatedShipment {
	const { database, addresses, firstPieceIndex } = context;
	const order = orderOf(database, piece.input.orderId);
	return {
		id: piece.id,
		packageNumberCarrier: numberOf(piece, context) ?? '',
		packageNumberCustom: piece.input.packageNumberCustom,
		pieceIndex: firstPieceIndex + piece.pieceIndex,
		orderId: order?.id ?? null,
		orderNumber: order?.number ?? null,
		labelUrl: addresses.ofShipment(piece.id),
		trackingUrl: addresses.ofTracking(piece.packageNumberCarrier),
		statusCode: 200,
		message: 'Created',
		carrierErrors: null,
	};
}

function refusedRow(
	input: ShipmentCreation,
	errors: string[],
	{ firstPieceIndex }: CreationContext,
): CreatedShipment {
	return {
		id: 0,
		packageNumberCarrier: '',
		packageNumberCustom: input.packageNumberCustom,
		pieceIndex: firstPieceIndex,
		orderId: null,
		orderNumber: null,
		labelUrl: '',
		trackingUrl: '',
		statusCode: 400,
		message: 'The shipment was not created',
		carrierErrors: errors.join('; '),
	};
}

function batchOrder(
	row: CreatedShipment,
	input: ShipmentCreation,
	carrierCode: string,
): BatchOrder {
	return {
		orderId: row.orderId ?? 0,
		id: row.id,
		carrierCode,
		orderNumber: row.orderNumber,
		orderDeliveryName: input.recName ?? '',
		orderDeliveryCompany: input.recCompany ?? '',
		packageNumberCarrier: row.packageNumberCarrier,
		success: row.statusCode === 200,
		message: typeof row.carrierErrors === 'string' ? row.carrierErrors : row.message,
	};
}
