// How long an order is in danger: from the look-up that finds nothing until the shipment stands in
// the books. Another worker that looks meanwhile finds nothing either.
import type { RecordedRequest, Sandbox } from '../../../sandbox';

/** When the service answered the look-ups and the creations of an order, in order. */
export interface Course {
	looksMs: number[];
	creationsMs: number[];
	/** Created together with others: then it was looked for together with others too. */
	isOneOfSeveral: boolean;
}

export function coursesOf({ requests }: Sandbox): Map<string, Course> {
	const courses = new Map<string, Course>();
	const courseOf = (number: string) => {
		const course = courses.get(number) ?? { looksMs: [], creationsMs: [], isOneOfSeveral: false };
		courses.set(number, course);
		return course;
	};
	for (const { operationId, body, status, finishedAt } of byEnd(requests)) {
		if (finishedAt === null || status !== 200) continue;
		if (operationId === 'findShipments') {
			const { search } = body as { search?: string };
			if (search) courseOf(search).looksMs.push(finishedAt);
		}
		if (operationId === 'createShipments') {
			const orders = body as Array<{ packageNumberCustom: string }>;
			for (const order of orders) {
				const course = courseOf(order.packageNumberCustom);
				course.creationsMs.push(finishedAt);
				course.isOneOfSeveral ||= orders.length > 1;
			}
		}
	}
	return courses;
}

/** For orders that one execution alone was at; those that were sent again had one before. */
export function dangerMs({ looksMs, creationsMs, isOneOfSeveral }: Course): number[] {
	const [created] = creationsMs;
	const [looked, second] = looksMs.filter((atMs) => atMs <= (created ?? 0));
	return !isOneOfSeveral && created !== undefined && looked !== undefined && second === undefined
		? [created - looked]
		: [];
}

export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function byEnd(requests: readonly RecordedRequest[]): RecordedRequest[] {
	return [...requests].sort((a, b) => (a.finishedAt ?? 0) - (b.finishedAt ?? 0));
}
