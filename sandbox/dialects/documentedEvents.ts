import { localToMs, offsetText } from '../domain/clock';
import type { DialectContext, Json } from './dialect';

/** Names in the language of the account. The category is the part that stays the same. */
const names: Record<string, string> = {
	Created: 'Zásilka vložena do systému',
	Ordered: 'Objednáno u dopravce',
	TransitCarrier: 'Předána koncovému dopravci',
	TransitOnTheWay: 'Na cestě',
	Delivered: 'Doručeno',
	DeliveredPickup: 'Doručeno na výdejní místo',
	Cancel: 'Zásilka zrušena',
	CancelCarrier: 'Zásilka zrušena ze strany dopravce',
};

export function localName(category: string, otherwise: string): string {
	return names[category] ?? otherwise;
}

/** The documented categories in place of the sandbox's own. */
export function documentedCategory(category: string, code: string, hasBranch: boolean): string {
	if (category === 'Canceled') return code === '980' ? 'Cancel' : 'CancelCarrier';
	return category === 'Delivered' && hasBranch ? 'DeliveredPickup' : category;
}

/** Null instead of an empty list, and not sorted. Some services write `type` as a number. */
export function writeEvents(
	events: Json[],
	number: string,
	context: DialectContext,
): Json[] | null {
	if (events.length === 0) return null;
	const shipment = context.database.shipmentByNumber(number);
	const hasBranch = shipment?.input.branchId !== undefined;
	const isNumeric = (shipment?.id ?? 0) % 3 === 0;
	const written = events.map((event, index) => {
		const code = String(event['code']);
		const category = documentedCategory(String(event['category']), code, hasBranch);
		return {
			...event,
			date: writeDate(event['date'], context.requestCount, index),
			category,
			name: localName(category, String(event['name'])),
			nameSystem: localName(category, String(event['nameSystem'])),
			...(isNumeric && event['type'] === 'Event' ? { type: 0 } : {}),
		};
	});
	const from = context.requestCount % written.length;
	return [...written.slice(from), ...written.slice(0, from)];
}

const FRACTION = '5113487';

/**
 * The same moment in the form of this request: without an offset, with one, or in UTC, and with 0 to 7
 * digits of the second's fraction.
 */
export function writeDate(date: unknown, requestCount: number, index: number): unknown {
	if (typeof date !== 'string') return date;
	const [, second, own = ''] =
		/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(date.trim()) ?? [];
	if (second === undefined) return date;
	const digits = (requestCount + index) % 8;
	const fraction = digits === 0 ? '' : `.${(own || FRACTION).padEnd(7, '0').slice(0, digits)}`;
	const ms = localToMs(second);
	switch (requestCount % 3) {
		case 0:
			return second + fraction;
		case 1:
			return second + fraction + offsetText(ms);
		default:
			return `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`;
	}
}
