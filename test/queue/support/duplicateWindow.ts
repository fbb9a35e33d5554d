// Measures how long an order can be created twice: from the look-up that finds nothing until the
// shipment exists. Another worker that looks it up in this time finds nothing either.
import type { RecordedRequest, Sandbox } from '../../../sandbox';

/** When the service responded to the look-ups and the creations of an order. */
export interface OrderTimes {
	lookUpsMs: number[];
	creationsMs: number[];
}

export function timesByOrder({ requests }: Sandbox): Map<string, OrderTimes> {
	const times = new Map<string, OrderTimes>();
	const timesOf = (number: string) => {
		const found = times.get(number) ?? { lookUpsMs: [], creationsMs: [] };
		times.set(number, found);
		return found;
	};
	for (const { operationId, body, status, finishedAt } of byEnd(requests)) {
		if (finishedAt === null || status !== 200) continue;
		if (operationId === 'findShipments') {
			const { search } = body as { search?: string };
			if (search) timesOf(search).lookUpsMs.push(finishedAt);
		}
		if (operationId === 'createShipments') {
			const orders = body as Array<{ packageNumberCustom: string }>;
			for (const order of orders) timesOf(order.packageNumberCustom).creationsMs.push(finishedAt);
		}
	}
	return times;
}

/** From the look-up to the shipment, for orders that only one execution handled. */
export function duplicateWindowsMs(sandbox: Sandbox): number[] {
	const lists = listLookUpsMs(sandbox);
	return [...timesByOrder(sandbox).values()].flatMap(({ lookUpsMs, creationsMs }) => {
		const [created = Infinity] = creationsMs;
		const [lookedUp = Infinity, second = Infinity] = lookUpsMs;
		const isAlone = second > created && !lists.some((atMs) => atMs > lookedUp && atMs <= created);
		return isAlone && Number.isFinite(created - lookedUp) ? [created - lookedUp] : [];
	});
}

/** Several orders sent again together are looked up in the list, which does not name them. */
function listLookUpsMs({ requests }: Sandbox): number[] {
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
