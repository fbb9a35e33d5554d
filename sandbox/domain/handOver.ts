import type {
	CancellationRow,
	CancelRequest,
	FindHandOversRequest,
	HandOver,
	HandOverRequest,
	PastHandOver,
} from '../../contract/types.generated';
import { dayRange, localSecond } from './clock';
import type { Database, StoredShipment } from './database';
import { addJob } from './creation';
import { canBeCanceled, isSubmitted, type Page, pageOf, type ShipmentContext } from './shipments';
import { ServiceError } from './validation';

// Of these two, only the shapes and one message are documented, so the sandbox defines the rest: a second cancellation is
// refused, a second hand-over skipped, and a canceled or unknown shipment makes a whole hand-over fail.

export function cancelShipments(
	{ packages }: CancelRequest,
	carrierCode: string,
	context: ShipmentContext,
	refusesUnknownNumbers: boolean,
): CancellationRow[] {
	const find = (number: string) => context.database.shipmentByNumber(number, carrierCode);
	const unknown = packages.find((number) => !find(number));
	if (unknown !== undefined && refusesUnknownNumbers) {
		throw new ServiceError(400, 'Entity not found', [], unknown);
	}
	return packages.map((packageNumberCarrier) => {
		const problem = cancel(find(packageNumberCarrier), context);
		return { packageNumberCarrier, successfull: problem === null, message: problem };
	});
}

/** Returns why the shipment cannot be canceled, or null after canceling it. */
function cancel(shipment: StoredShipment | undefined, context: ShipmentContext): string | null {
	if (!shipment) return 'package.cancel.notfound';
	if (shipment.canceledMs !== null) return 'package.cancel.alreadycanceled';
	if (!canBeCanceled(shipment, context)) return 'package.cancel.alreadysent';
	const all = context.database.pieces(shipment.mainId);
	for (const piece of context.habits.cancelsPiecesAlone ? [shipment] : all)
		piece.canceledMs = context.nowMs;
	return null;
}

export function handOverShipments(
	{ packages, date }: HandOverRequest,
	carrierCode: string,
	context: ShipmentContext,
): HandOver {
	const { database, nowMs, addresses } = context;
	const named = packages.map((id) => findMain(id, carrierCode, database));
	const all = database.shipments.filter(
		(each) => each.carrierCode === carrierCode && each.id === each.mainId && !each.canceledMs,
	);
	const canceled = named.filter(({ canceledMs }) => canceledMs !== null).map(({ id }) => id);
	if (canceled.length > 0) {
		throw new ServiceError(400, `Canceled shipments cannot be handed over: ${canceled.join(', ')}`);
	}
	const open = (packages.length === 0 ? all : named).filter(
		(each) => !isSubmitted(each, context) && !database.keptFromCarrier.has(each.id),
	);
	if (open.length === 0) throw new ServiceError(400, 'There is nothing to hand over');
	const pieces = open.flatMap(({ id }) => database.pieces(id));
	for (const piece of pieces) piece.submittedMs = nowMs;
	const id = database.handOvers.length + 301;
	const labelsHash = addJob(pieces, context);
	database.handOvers.push({
		id,
		carrierCode,
		date: date ?? localSecond(nowMs).slice(0, 10),
		shipmentIds: open.map((each) => each.id),
		createdMs: nowMs,
		labelsHash,
	});
	return {
		id,
		protocolUrl: addresses.ofProtocol(id),
		labelsUrl: addresses.ofHash(labelsHash),
		packagesCount: context.habits.handOverCountsPieces ? pieces.length : open.length,
	};
}

export function findHandOvers(
	request: FindHandOversRequest,
	{ database, addresses }: ShipmentContext,
): Page<PastHandOver> {
	const { fromMs, beforeMs } = dayRange(request.createdFrom, request.createdTo);
	const { carrierCode: codes = [] } = request;
	const matching = database.handOvers
		.filter(({ carrierCode }) => codes.length === 0 || codes.includes(carrierCode))
		.filter(({ createdMs }) => createdMs >= fromMs && createdMs < beforeMs);
	return pageOf(
		matching.reverse(),
		request,
		({ id, carrierCode, date, shipmentIds, createdMs, labelsHash }) => ({
			id,
			hash: labelsHash,
			date,
			carrierCode,
			printed: false,
			created: localSecond(createdMs),
			packagesCount: shipmentIds.length,
			protocolUrl: addresses.ofProtocol(id),
			labelsUrl: addresses.ofHash(labelsHash),
		}),
	);
}

function findMain(id: number, carrierCode: string, database: Database): StoredShipment {
	const shipment = database.shipment(id);
	if (shipment?.carrierCode === carrierCode && shipment.id === shipment.mainId) return shipment;
	throw new ServiceError(404, `Carrier ${carrierCode} has no shipment with id ${id}`);
}
