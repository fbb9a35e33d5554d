import type {
	BatchOrder,
	CreatedShipment,
	CreationEnvelope,
	ShipmentCreation,
} from '../contract.generated';
import type { Books, StoredBatch, StoredShipment } from './books';
import type { FileAddresses } from './printing';
import { refusals } from './refusals';
import type { SeedCarrier } from './seed';
import { ServiceError } from './service-error';

// Where the interface document is silent, the sandbox decides:
// - every piece is a shipment with its own id and carrier number; the first is the main shipment
// - pieceIndex counts from 0 (option firstPieceIndex)
// - a refused row has id 0, the pieceIndex of a first piece and empty texts where nothing exists
// - packagesCount counts created pieces, ordersCount the objects of the request, errorsCount the
//   refused ones; the batch carries the carrier of the first shipment whose service is known
// - orderId in a batch's orders is 0 when no order is attached (it is never null there)
// - the same packageNumberCustom may be created any number of times
// - a batch in which everything was refused exists, without labels

export interface CreationContext {
	books: Books;
	nowMs: number;
	addresses: FileAddresses;
	firstPieceIndex: number;
	carrierInPath: string | null;
}

export type CreationResult = Omit<CreationEnvelope, 'correlationId'>;

export function createBatch(inputs: ShipmentCreation[], context: CreationContext): CreationResult {
	const { books, nowMs, addresses } = context;
	if (inputs.length === 0) throw new ServiceError(400, 'The request holds no shipment');
	const carrierCodes = inputs.map((input) => books.service(input.serviceType)?.carrier.code);
	const batchId = books.nextBatchId();
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
	books.addBatch(batch);
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
	const complaints = refusals(input, context.books, context.carrierInPath);
	const carrier = context.books.service(input.serviceType)?.carrier;
	if (complaints.length > 0 || !carrier) return [refusedRow(input, complaints, context)];
	const pieces = storePieces(input, carrier, batchId, context);
	created.push(...pieces);
	return pieces.map((piece) => createdRow(piece, context));
}

export function storePieces(
	input: ShipmentCreation,
	carrier: SeedCarrier,
	batchId: number,
	context: Pick<CreationContext, 'books' | 'nowMs'>,
): StoredShipment[] {
	const pieceCount = input.pieceCount ?? 1;
	const pieces: StoredShipment[] = [];
	for (let index = 0; index < pieceCount; index++) {
		const id = context.books.nextShipmentId();
		const piece: StoredShipment = {
			id,
			mainId: pieces[0]?.id ?? id,
			batchId,
			carrierCode: carrier.code,
			serviceType: input.serviceType,
			packageNumberCarrier:
				carrier.numbers.prefix + String(id).padStart(carrier.numbers.digits, '0'),
			pieceIndex: index,
			pieceCount,
			createdMs: context.nowMs,
			input,
			printed: false,
			canceledMs: null,
			addedEvents: [],
		};
		context.books.addShipment(piece);
		pieces.push(piece);
	}
	return pieces;
}

function addJob(
	shipments: StoredShipment[],
	content: 'labels' | 'orders',
	{ books, nowMs }: CreationContext,
): string | null {
	const carrier = books.carrier(shipments[0]?.carrierCode ?? '');
	if (!carrier) return null;
	return books.addJob({
		createdMs: nowMs,
		content,
		format: 'pdf',
		layout: carrier.defaultLayout,
		carrierCode: carrier.code,
		shipmentIds: shipments.map((shipment) => shipment.id),
	});
}

function orderOf(books: Books, orderId: number | null | undefined) {
	return books.seed.orders.find((order) => order.id === orderId);
}

function createdRow(piece: StoredShipment, context: CreationContext): CreatedShipment {
	const { books, addresses, firstPieceIndex } = context;
	const order = orderOf(books, piece.input.orderId);
	return {
		id: piece.id,
		packageNumberCarrier: piece.packageNumberCarrier,
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
	complaints: string[],
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
		carrierErrors: complaints.join('; '),
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
		message: row.carrierErrors ?? row.message,
	};
}
