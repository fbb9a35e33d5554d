import { creationFieldNames, creationFields } from '../orders/fields';

// The fields that a carrier names when it refuses a shipment.

/** Other words for a field, as in "receiver address postal code". */
const OTHER_WORDS =
	/\b(receiver|recipient|consignee|sender) (?:(?:address|contact) )?(name|company|street|city|postal code|postcode|zip|country|phone|email)(?: code| number)?\b/gi;

/** Services name the fields of a request by their own names, carriers by words such as these. */
function withFieldNames(text: string): string {
	return text.replace(OTHER_WORDS, (words, whose: string, part: string) => {
		const prefix = /sender/i.test(whose) ? 'sender' : 'rec';
		const ending = /code|zip/i.test(part) ? 'Zip' : part;
		const field = `${prefix}${ending}`.toLowerCase();
		return creationFieldNames.find((name) => name.toLowerCase() === field) ?? words;
	});
}

/** The name of a field. In lower case only at the start: in "Recipient name: maximum length exceeded", `length` is none. */
const FIELD_NAME = /(?<=^|; |\d: )[a-z]+\b|\b[a-z]+[A-Z]\w*/g;

/** A reason with the captions of the form. `hasHidden`: the form does not show one of these fields at first. */
export function withCaptions(text: string): { reason: string; hasHidden: boolean } {
	let hasHidden = false;
	const reason = withFieldNames(text).replace(FIELD_NAME, (word) => {
		const name = creationFieldNames.find((each) => each === word);
		if (!name) return word;
		const { caption, isShown } = creationFields[name];
		hasHidden ||= !isShown;
		return caption;
	});
	return { reason, hasHidden };
}
