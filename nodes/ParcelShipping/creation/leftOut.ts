import { isCreationField } from './readBody';

/** Fields of the form itself; an item often carries them because the form reads them from it. */
const OWN_FIELDS = new Set(['carrierCode', 'serviceType']);
const MOST_NAMES = 20;

/** Keeps what must not be sent out of the values, and tells the user once for the whole run. */
export class LeftOut {
	private readonly unknown = new Set<string>();

	private hasOrderId = false;

	constructor(private readonly isAutomatic: boolean) {}

	take(values: Record<string, unknown>): Record<string, unknown> {
		for (const name in values) {
			if (!isCreationField(name) && !OWN_FIELDS.has(name)) this.unknown.add(name);
		}
		// An e-shop's items have an `orderId` of their own, which is somebody else's in the service.
		if (!this.isAutomatic || values.orderId === undefined || values.orderId === null) return values;
		this.hasOrderId = true;
		return { ...values, orderId: undefined };
	}

	get hints(): string[] {
		return [
			...(this.unknown.size > 0
				? [
						`Ignored, because they are no shipment fields: ${listNames([...this.unknown])}. What only your carrier knows goes into Additional Fields.`,
					]
				: []),
			...(this.hasOrderId
				? [
						"Automatic mapping left out orderId, which means an order in the shipping service's own administration. To attach such an order, give its ID in Additional Fields.",
					]
				: []),
		];
	}
}

function listNames(names: string[]): string {
	return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '');
}
