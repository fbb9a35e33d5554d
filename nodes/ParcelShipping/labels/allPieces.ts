import { DEFAULT_LOOKBACK_DAYS } from '../parameterValues';
import { countOf, groupBy, listTexts } from '../lists';
import { mainIdOf, searchStart } from '../records';
import { type NodeRun, showHints } from '../run';
import { isRefusal, isStatus500 } from '../transport/errors';
import {
	listPieces,
	mayLackPieces,
	type PieceRecord,
	readPieces,
	withNewer,
} from '../transport/shipments';

export const ALL_NOT_PRINTED = [
	'All Not Printed',
	'Shipments of all carriers and the last 30 days whose label was not printed',
] as const;

/**
 * All active pieces, and whether they were printed. If the detail of one cannot be read, nothing says it.
 *
 * Some providers create the labels of everything not printed with one request. It is not used: its response
 * names no shipment, so after a lost response, nobody could say whose labels are missing.
 */
export async function readAllPieces(run: NodeRun): Promise<PieceRecord[]> {
	const { client } = run;
	const createdFrom = searchStart(Date.now(), DEFAULT_LOOKBACK_DAYS);
	const listed = await listPieces(client, { createdFrom, onlyMaster: false });
	const byId = new Map(listed.map((piece) => [piece.id, piece]));
	const byMain = groupBy(listed, ({ record }) => mainIdOf(record));
	const isMain = ({ record }: PieceRecord) => mainIdOf(record) === undefined;
	const lacksPieces = (piece: PieceRecord) =>
		isMain(piece) && mayLackPieces(piece, 1 + (byMain.get(piece.id)?.length ?? 0));
	const toRead = listed.filter(
		(piece) => !piece.isCanceled && (piece.printed === undefined || lacksPieces(piece)),
	);
	await client.mapParallel(toRead, async (piece) => {
		const reading = readPieces(client, piece.carrierCode, piece.id).catch((failure: unknown) => {
			if (!isRefusal(failure) && !isStatus500(failure)) throw failure;
			return [{ ...piece, printed: undefined }];
		});
		for (const each of await reading) {
			const known = byId.get(each.id);
			byId.set(each.id, known && each.record !== piece.record ? withNewer(known, each) : each);
		}
	});
	const active = [...byId.values()].filter(({ isCanceled }) => !isCanceled);
	const notYet = active.filter(({ printed, record }) => !printed && record.printable === false);
	if (notYet.length > 0) {
		const names = notYet.map(({ id, reference }) => reference || `ID ${id}`);
		const labels = countOf(notYet.length, 'label');
		showHints(run, [`${labels} cannot be printed yet: ${listTexts([...new Set(names)])}.`]);
	}
	return active.filter((piece) => !notYet.includes(piece));
}
