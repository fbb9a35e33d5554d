import { listTexts } from '../lists';
import { isMappedField } from './fields';
import { formFields } from './form';
import { type Order, referenceOf } from './order';
import type { FormValues } from './readForm';
import { type Problem, showValue } from './validate';

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set<string>([formFields.carrierCode.field, formFields.serviceType.field]);
const MAX_LISTED_FIELDS = 20;
const MAX_LISTED_REFERENCES = 5;
const MAX_LISTED_CLEANED = 3;

/** What services document for references. Others accept more, so that nothing is refused here. */
const PLAIN_REFERENCE = /^[\w/-]{1,30}$/;

/** Collects, item by item, what users may want to know about a run although nothing is refused. */
export class OrderHints {
	private readonly ignored = new Set<string>();

	private hasOrderId = false;

	private readonly unusual: string[] = [];

	private readonly cleaned: string[] = [];

	/** The orders that probably lack a field, by what they lack. */
	private readonly lacking = new Map<string, string[]>();

	addItem({ values, isAutomatic }: FormValues): void {
		for (const name in values) {
			if (!isMappedField(name) && !FORM_FIELDS.has(name)) this.ignored.add(name);
		}
		this.hasOrderId ||= isAutomatic && (values.orderId ?? null) !== null;
	}

	addOrder(order: Order, likely: readonly Problem[]): void {
		const reference = referenceOf(order);
		if (!PLAIN_REFERENCE.test(reference)) this.unusual.push(reference);
		for (const { message = '' } of likely) {
			const references = this.lacking.get(message) ?? [];
			references.push(reference);
			this.lacking.set(message, references);
		}
		// Joined names are no surprise.
		const rewritten = Object.values(order.cleaned ?? {}).find(([from]) => !Array.isArray(from));
		if (!rewritten) return;
		const [from, to] = rewritten;
		this.cleaned.push(`${reference}: ${showValue(from)} to ${showValue(to)}`);
	}

	list(): string[] {
		const { length: count } = this.cleaned;
		const lacking = [...this.lacking].map(
			([message, references]) => `${message}: ${listTexts(references, MAX_LISTED_REFERENCES)}.`,
		);
		return [
			this.ignored.size > 0 &&
				`Ignored fields that a shipment does not have: ${listTexts([...this.ignored], MAX_LISTED_FIELDS)}. Put fields that only your carrier knows into 'Additional Fields'.`,
			this.hasOrderId &&
				"Automatic mapping ignored orderId, which is an order in the shipping service's own administration. To attach such an order, set its ID in 'Additional Fields'.",
			this.unusual.length > 0 &&
				`Some services refuse a 'Custom Shipment Number' that is longer than 30 characters or contains anything but letters, digits, -, / and _: ${listTexts(this.unusual, MAX_LISTED_REFERENCES)}.`,
			...lacking,
			count > 0 &&
				`Cleaned up the values of ${count} ${count === 1 ? 'order' : 'orders'}, for example ${listTexts(this.cleaned, MAX_LISTED_CLEANED)}. 'Dry Run' lists all of them.`,
		].filter((hint) => hint !== false);
	}
}
