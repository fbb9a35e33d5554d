import type { Json } from '../dialects/dialect';
import type { SandboxOptions } from '../options';
import type { OperationId } from './contract';

const list: OperationId[] = ['findShipments'];
const records: OperationId[] = [...list, 'getShipment', 'getShipmentShort'];

const omissions: Array<[option: keyof SandboxOptions, OperationId[], fields: string[]]> = [
	['listsWithoutReferences', list, ['packageNumberCustom']],
	['listsWithoutNumbers', list, ['packageNumberCarrier']],
	['listsWithoutPieceCount', list, ['pieceCount']],
	['listsWithoutStates', list, ['printed', 'submittedCarrier', 'sent', 'delivered']],
	['recordsWithoutMain', records, ['isMaster', 'masterId', 'packageNumberOrder', 'pieceIndex']],
	['detailsWithoutPrinted', records, ['printed']],
	['uncountedHandOver', ['handOverShipments'], ['packagesCount']],
];

export function leaveOut(name: OperationId, response: Json, options: SandboxOptions): void {
	const fields = omissions.flatMap(([option, names, omitted]) =>
		options[option] && names.includes(name) ? omitted : [],
	);
	if (fields.length === 0) return;
	const result = response['result'] as Json | Json[];
	const found = 'data' in result ? (result['data'] as Json[]) : [result].flat();
	for (const record of found) for (const field of fields) delete record[field];
}
