import { chunk } from 'lodash';

/** The numbers that one input item asks for. */
export interface Question {
	item: number;
	carrierCode: string;
	numbers: string[];
}

/** One request to the service, and which items ask for each of its numbers. */
export interface TrackingRequest {
	carrierCode: string;
	itemsByNumber: Map<string, number[]>;
}

/** Not a documented limit: as many as a page holds keeps requests and answers of a moderate size. */
const NUMBERS_PER_REQUEST = 100;

/** As few requests as possible: each carrier's numbers together, and each number once. */
export function planRequests(questions: readonly Question[]): TrackingRequest[] {
	const byCarrier = new Map<string, Map<string, number[]>>();
	for (const { item, carrierCode, numbers } of questions) {
		const itemsByNumber = byCarrier.get(carrierCode) ?? new Map<string, number[]>();
		byCarrier.set(carrierCode, itemsByNumber);
		for (const number of numbers) {
			itemsByNumber.set(number, [...(itemsByNumber.get(number) ?? []), item]);
		}
	}
	return [...byCarrier].flatMap(([carrierCode, itemsByNumber]) =>
		chunk([...itemsByNumber], NUMBERS_PER_REQUEST).map((part) => ({
			carrierCode,
			itemsByNumber: new Map(part),
		})),
	);
}
