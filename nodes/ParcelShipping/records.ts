/** The ID of a shipment, 0 if the service does not say it. Each piece has its own. */
export function idOf(record: { id?: unknown }): number {
	const id = Number(record.id ?? 0);
	return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** Only a carrier's number has leading zeros. Without them, it could be the ID of another record. */
export const isId = (text: string) => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));

/** The carrier's number as text, '' if the carrier has not assigned one. */
export function carrierNumberOf(record: { packageNumberCarrier?: unknown }): string {
	return String(record.packageNumberCarrier ?? '').trim();
}

/** The name of the recipient, or the company if there is no name. */
export function recipientOf(record: Record<string, unknown>): unknown {
	const address = isRecord(record.recAddress) ? record.recAddress : {};
	const names = [record.recName, address.name, record.recCompany, address.company];
	return names.find((name) => typeof name === 'string' && name.trim() !== '') ?? record.recName;
}

/**
 * For an additional piece, the ID of its main shipment, 0 if the record does not say which one that is.
 * `undefined` for a main shipment.
 */
export function mainIdOf(record: {
	id?: unknown;
	masterId?: unknown;
	isMaster?: unknown;
	packageNumberOrder?: unknown;
}): number | undefined {
	const { id, masterId, isMaster, packageNumberOrder } = record;
	const mainId = Number(masterId ?? 0);
	if (mainId > 0 && mainId !== Number(id)) return mainId;
	return isMaster === false || Number(packageNumberOrder ?? 1) > 1 ? 0 : undefined;
}

/** Whether the record says that it is an additional piece, whatever its main shipment is. */
export const isAdditional = (record: Parameters<typeof mainIdOf>[0]) =>
	mainIdOf(record) !== undefined;

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper JSON would end with an error wherever it is copied. */
const MAX_DEPTH = 200;

/** `undefined` if the text is not JSON, nested too deeply, or has an object that cannot be written as text. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return isUnusable(MAX_DEPTH, value) ? undefined : value;
	} catch {
		return undefined;
	}
}

function isUnusable(depth: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (depth === 0 || Object.hasOwn(value, 'toString')) return true;
	// Every response passes here. `some` takes twice as long as this.
	for (const each of Object.values(value)) if (isUnusable(depth - 1, each)) return true;
	return false;
}

export const DAY_MS = 86_400_000;

/**
 * The first day to search, as yyyy-mm-dd, so that nothing younger than `days` is missed. One day is
 * added because the service counts whole days in a time zone of its own.
 */
export function searchStart(nowMs: number, days: number): string {
	// Ten years. A date that is much earlier cannot be written.
	const sinceMs = nowMs - (Math.min(days, 3650) + 1) * DAY_MS;
	return new Date(sinceMs).toISOString().slice(0, 10);
}
