import { listTexts } from '../lists';
import { captions } from './fields';
import { type Problem, problemOf } from './order';
import type { Body } from './readFields';

interface Limits {
	/** The largest numbers of characters. */
	note?: number;
	reference?: number;
	/** Of the recipient, with cash on delivery. */
	codCountries?: readonly string[];
}

/** What carriers refuse, as the models of a service's public .NET client document it. */
const LIMITS: Readonly<Record<string, Limits>> = {
	// AddPackageCpModel: "Note for the carrier (maximum length 50 characters)"
	CP: { note: 50 },
	// AddPackageDpdModel: "Carrier note (maximum length 64 characters)"
	// and "Reference number/shipment ID. Maximum 35 characters"
	DPD: { note: 64, reference: 35 },
	// AddPackageGlsModel: "Cash on delivery is supported only for countries CZ, SK, HU, SI, HR, RO"
	GLS: { codCountries: ['CZ', 'SK', 'HU', 'SI', 'HR', 'RO'] },
	// AddPackagePacketaModel: "Note for the carrier (maximum length of 128 characters)"
	PACKETA: { note: 128 },
};

const limitsOf = (carrierCode: string): Limits => LIMITS[carrierCode.toUpperCase()] ?? {};

/**
 * The note of a customer without the words that are too many for the carrier; undefined if all fit. The
 * user cannot change it in the shop's order, and without the rest, it still says more than no note.
 */
export function shortenedNote(note: string | undefined, carrierCode: string): string | undefined {
	const { note: maxLength = Infinity } = limitsOf(carrierCode);
	if (!note || note.length <= maxLength) return undefined;
	return note
		.slice(0, maxLength + 1)
		.replace(/\s+\S*$/, '')
		.slice(0, maxLength)
		.replace(/\p{Cs}$/u, '');
}

export function carrierProblems(body: Body, carrierCode: string): Problem[] {
	const { codCountries, ...lengths } = limitsOf(carrierCode);
	const problems = (['note', 'reference'] as const).flatMap((field): Problem[] => {
		const { [field]: maxLength = Infinity } = lengths;
		const { [field]: text = '' } = body;
		if (text.length <= maxLength) return [];
		const expected = `at most ${maxLength} characters for ${carrierCode}`;
		const message = `${captions[field]} has ${text.length} characters, but ${carrierCode} accepts at most ${maxLength}`;
		return [problemOf(field, message, expected)];
	});
	const { cod, recCountry: country, branchId } = body;
	// With a pickup point, the country of the recipient does not matter.
	if (!codCountries || !cod || !country || branchId || codCountries.includes(country))
		return problems;
	const expected = `one of ${listTexts(codCountries)} for cash on delivery with ${carrierCode}. Choose another carrier, or a shipment without cash on delivery`;
	const message = `${carrierCode} has no cash on delivery in ${country}`;
	return [...problems, problemOf('recCountry', message, expected)];
}
