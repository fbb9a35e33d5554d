import { creationFieldNames, creationFields } from '../orders/fields';

// The fields that a carrier names when it refuses a shipment.

/** Other words for a field, as in "receiver address postal code". */
const OTHER_WORDS =
	/\b(receiver|recipient|consignee|sender) (?:(?:address|contact) )?(name|company|street|city|postal code|postcode|zip|country|phone|email)(?: code| number)?\b/gi;

/** Services name the fields of a request by their own names, carriers by words such as these. */
export function withFieldNames(text: string): string {
	return text.replace(OTHER_WORDS, (words, whose: string, part: string) => {
		const prefix = /sender/i.test(whose) ? 'sender' : 'rec';
		const ending = /code|zip/i.test(part) ? 'Zip' : part;
		const field = `${prefix}${ending}`.toLowerCase();
		return creationFieldNames.find((name) => name.toLowerCase() === field) ?? words;
	});
}

export const captionOf = (word: string) => {
	const name = creationFieldNames.find((each) => each === word);
	return name && creationFields[name].caption;
};

/**
 * Where to correct the fields that the reason names. Only hidden fields have to be explained, and names
 * such as `vs` that may be words. In "Recipient name: maximum length exceeded", `length` is no field.
 */
export function describeFields(reason: string): string {
	const named = creationFieldNames.filter((name) => {
		const start = /^[a-z]+$/.test(name) ? '(^|; |["\'])' : '\\b';
		return new RegExp(`${start}${name}\\b`).test(reason);
	});
	const unclear = named.filter((name) => /^[a-z]+$/.test(name) || !creationFields[name].isShown);
	const captions = unclear.map((name) => `${creationFields[name].caption} (${name})`);
	const isHidden = unclear.some((name) => !creationFields[name].isShown);
	if (captions.length === 0) return '';
	return `In the form: ${captions.join(', ')}${isHidden ? ", under 'Add field to send'" : ''}. `;
}
