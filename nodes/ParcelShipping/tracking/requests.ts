import { chunk } from '../lists';

/** The numbers that one input item asks for. */
export interface Question {
	item: number;
	carrierCode: string;
	numbers: string[];
}

export interface TrackingRequest {
	carrierCode: string;
	numbers: string[];
}

/** Not a documented limit: as many as a page holds keeps requests and answers of a moderate size. */
const NUMBERS_PER_REQUEST = 100;

/** As few requests as possible: each carrier's numbers together, and each number once. */
export function planRequests(questions: readonly Question[]): TrackingRequest[] {
	const byCarrier = new Map<string, Set<string>>();
	for (const { carrierCode, numbers } of questions) {
		const ofCarrier = byCarrier.get(carrierCode) ?? new Set();
		byCarrier.set(carrierCode, ofCarrier);
		for (const number of numbers) ofCarrier.add(number);
	}
	return [...byCarrier].flatMap(([carrierCode, all]) =>
		chunk([...all], NUMBERS_PER_REQUEST).map((numbers) => ({ carrierCode, numbers })),
	);
}
