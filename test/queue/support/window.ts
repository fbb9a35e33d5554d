// How long an order is in danger: from the look-up that finds nothing until the shipment stands in
// the books. Another worker that looks meanwhile finds nothing either.
import type { RecordedRequest, Sandbox } from '../../../sandbox';

/** When the service answered the look-ups and the creations of an order, in order. */
export interface Course {
	looksMs: number[];
	creationsMs: number[];
}

export function coursesOf({ requests }: Sandbox): Map<string, Course> {
	const courses = new Map<string, Course>();
	const courseOf = (number: string) => {
		const course = courses.get(number) ?? { looksMs: [], creationsMs: [] };
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
			for (const order of orders) courseOf(order.packageNumberCustom).creationsMs.push(finishedAt);
		}
	}
	return courses;
}

/** From the look-up to the shipment, for the orders that one execution alone was at. */
export function dangersMs(sandbox: Sandbox): number[] {
	const lists = listLooksMs(sandbox);
	return [...coursesOf(sandbox).values()].flatMap(({ looksMs, creationsMs }) => {
		const [created = Infinity] = creationsMs;
		const [looked = Infinity, second = Infinity] = looksMs;
		const isAlone = second > created && !lists.some((atMs) => atMs > looked && atMs <= created);
		return isAlone && Number.isFinite(created - looked) ? [created - looked] : [];
	});
}

/** Orders that are sent again together are looked for in the list: that may have been any of them. */
function listLooksMs({ requests }: Sandbox): number[] {
	return requests.flatMap(({ operationId, body, finishedAt }) => {
		const { search, carrierCodes } = (body ?? {}) as { search?: string; carrierCodes?: string[] };
		const isList = operationId === 'findShipments' && !search && !carrierCodes?.includes('BEAVER');
		return isList && finishedAt !== null ? [finishedAt] : [];
	});
}

export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function byEnd(requests: readonly RecordedRequest[]): RecordedRequest[] {
	return [...requests].sort((a, b) => (a.finishedAt ?? 0) - (b.finishedAt ?? 0));
}
