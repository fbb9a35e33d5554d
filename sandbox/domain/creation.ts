import type {
	BatchOrder,
	CreatedShipment,
	CreationEnvelope,
	ShipmentCreation,
} from '../../contract/types.generated';
import type { StoredShipment } from './database';
import type { SeedCarrier } from './seed';
import { numberOf, type ShipmentContext } from './shipments';
import { ServiceError, validateShipment } from './validation';

// The interface document does not specify the following, so the sandbox defines it:
// - Every piece is a shipment with its own id and carrier number. The first is the main shipment.
// - A refused row has id 0, the pieceIndex of a first piece, and empty strings for missing values.
// - The batch has the carrier of the first shipment with a known service, and exists if everything is refused.
// - With `exchangeOrder`, each piece has a second shipment, which takes the old goods back.
// - Cash on delivery is the total of all pieces, so a second amount for one order number is refused.

/** Refuses order numbers that active shipments have, as the public guide of a provider describes it. */
export function duplicateErrors(
	{ packageNumberCustom: reference }: ShipmentCreation,
	{ database }: ShipmentContext,
): string[] {
	const isDuplicate = database.shipments.some(
		({ input, canceledMs }) => canceledMs === null && input.packageNumberCustom === reference,
	);
	return isDuplicate ? [`Duplicate order ID ${reference}`] : [];
}

export function createBatch(
	inputs: ShipmentCreation[],
	carrierInPath: string | null,
	validate: (input: ShipmentCreation) => string[],
	context: ShipmentContext,
): Omit<CreationEnvelope, 'correlationId'> {
	const { database, nowMs, addresses } = context;
	if (inputs.length === 0) throw new ServiceError(400, 'The request contains no shipments');
	const carrierCodes = inputs.map((input) => database.service(input.serviceType)?.carrier.code);
	const carrierCode = carrierCodes.find(Boolean) ?? carrierInPath ?? '';
	const batchId = ++database.lastBatchId;
	const created: StoredShipment[] = [];
	const collected = new Set<string>();
	const rows = inputs.map((input) => {
		const errors = [...validateShipment(input, database, carrierInPath), ...validate(input)];
		const { cod, packageNumberCustom: reference } = input;
		if (cod && collected.has(reference)) errors.push(`${reference} has cash on delivery twice`);
		if (cod) collected.add(reference);
		const carrier = database.service(input.serviceType)?.carrier;
		if (errors.length > 0 || !carrier) return [rowOf(input, undefined, errors, context)];
		const pieces = storePieces(input, carrier, batchId, context);
		if ((input as { exchangeOrder?: boolean }).exchangeOrder) {
			pieces.push(...storePieces(input, carrier, batchId, context));
		}
		created.push(...pieces);
		return pieces.map((piece) => rowOf(input, piece, [], context));
	});
	const labelsHash = addJob(created, context);
	database.addBatch({
		id: batchId,
		carrierCode,
		ordersCount: inputs.length,
		packagesCount: created.length,
		errorsCount: rows.filter(([row]) => row?.statusCode !== 200).length,
		labelsHash,
		createdMs: nowMs,
		orders: inputs.flatMap((input, index) =>
			(rows[index] ?? []).map((row) => batchOrder(row, input, carrierCodes[index] ?? carrierCode)),
		),
	});
	return {
		result: rows.flat(),
		labelsUrl: addresses.ofHash(labelsHash),
		labelsHash,
		ordersUrl: null,
		ordersHash: null,
		packagesCount: created.length,
		batchId,
	};
}

function rowOf(
	input: ShipmentCreation,
	piece: StoredShipment | undefined,
	errors: string[],
	context: ShipmentContext,
): CreatedShipment {
	const { database, addresses } = context;
	const order = piece && database.seed.orders.find(({ id }) => id === input.orderId);
	return {
		id: piece?.id ?? 0,
		packageNumberCarrier: (piece && numberOf(piece, context)) ?? '',
		packageNumberCustom: input.packageNumberCustom,
		pieceIndex: piece?.pieceIndex ?? 0,
		orderId: order?.id ?? null,
		orderNumber: order?.number ?? null,
		labelUrl: piece ? addresses.ofShipment(piece.id) : '',
		trackingUrl: piece ? addresses.ofTracking(piece.packageNumberCarrier) : '',
		statusCode: piece ? 200 : 400,
		message: piece ? 'Created' : 'The shipment was not created',
		carrierErrors: piece ? null : errors.join('; '),
	};
}

export function storePieces(
	input: ShipmentCreation,
	carrier: SeedCarrier,
	batchId: number,
	context: Pick<ShipmentContext, 'database' | 'nowMs'>,
	number?: string,
): StoredShipment[] {
	const pieceCount = input.pieceCount ?? 1;
	const pieces: StoredShipment[] = [];
	for (let index = 0; index < pieceCount; index++) {
		const id = ++context.database.lastShipmentId;
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
	{ database, nowMs }: Pick<ShipmentContext, 'database' | 'nowMs'>,
): string | null {
	const carrier = database.carrier(shipments[0]?.carrierCode ?? '');
	if (!carrier) return null;
	return database.addJob({
		createdMs: nowMs,
		format: 'pdf',
		layout: carrier.defaultLayout,
		carrierCode: carrier.code,
		shipmentIds: shipments.map((shipment) => shipment.id),
	});
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
