import { isSameCode, listTexts } from '../lists';
import { type CreationFieldName, creationFields } from './fields';
import { type Problem, showValue } from './order';
import type { Body } from './readFields';

type Limit = { carrier: string } & (
	| { field: CreationFieldName; maxLength: number }
	/** Of the recipient, with cash on delivery. */
	| { codCountries: readonly string[] }
);

/** What carriers refuse, as the models of a service's public .NET client document it. */
const LIMITS: readonly Limit[] = [
	// AddPackageCpModel: "Note for the carrier (maximum length 50 characters)"
	{ carrier: 'CP', field: 'note', maxLength: 50 },
	// AddPackageDpdModel: "Carrier note (maximum length 64 characters)"
	{ carrier: 'DPD', field: 'note', maxLength: 64 },
	// AddPackageDpdModel: "Reference number/shipment ID. Maximum 35 characters"
	{ carrier: 'DPD', field: 'reference', maxLength: 35 },
	// AddPackageGlsModel: "Cash on delivery is supported only for countries CZ, SK, HU, SI, HR, RO"
	{ carrier: 'GLS', codCountries: ['CZ', 'SK', 'HU', 'SI', 'HR', 'RO'] },
	// AddPackagePacketaModel: "Note for the carrier (maximum length of 128 characters)"
	{ carrier: 'PACKETA', field: 'note', maxLength: 128 },
];

/**
 * The note of a customer without the words that are too many for the carrier; undefined if all fit. The
 * user cannot change it in the shop's order, and without the rest, it still says more than no note.
 */
export function shortenedNote(note: string | undefined, carrierCode: string): string | undefined {
	const limit = LIMITS.find(
		(each) => 'maxLength' in each && each.field === 'note' && isSameCode(each.carrier, carrierCode),
	);
	if (!note || !limit || !('maxLength' in limit) || note.length <= limit.maxLength)
		return undefined;
	const { maxLength } = limit;
	return note
		.slice(0, maxLength + 1)
		.replace(/\s+\S*$/, '')
		.slice(0, maxLength);
}

/** The values of an order that its carrier is known to refuse. */
export function carrierProblems(body: Body, carrierCode: string): Problem[] {
	return LIMITS.filter(({ carrier }) => isSameCode(carrier, carrierCode)).flatMap(
		(limit): Problem[] => {
			if ('codCountries' in limit) {
				const { cod, recCountry: country, branchId } = body;
				// With a pickup point, the country of the recipient does not matter.
				if (!cod || !country || branchId || limit.codCountries.includes(country)) return [];
				return [
					{
						field: 'recCountry',
						caption: creationFields.recCountry.caption,
						found: showValue(country),
						expected: `one of ${listTexts(limit.codCountries, 20)} for cash on delivery with ${carrierCode}. Choose another carrier, or a shipment without cash on delivery`,
						message: `${carrierCode} has no cash on delivery in ${country}`,
					},
				];
			}
			const { field, maxLength } = limit;
			const { length } = String(body[field] ?? '');
			if (length <= maxLength) return [];
			const { caption } = creationFields[field];
			return [
				{
					field,
					caption,
					found: showValue(body[field]),
					expected: `at most ${maxLength} characters for ${carrierCode}`,
					message: `${caption} has ${length} characters, but ${carrierCode} accepts at most ${maxLength}`,
				},
			];
		},
	);
}
