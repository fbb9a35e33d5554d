// A shop that sends its orders to a webhook, and repeats those that were not accepted.
import { setTimeout as sleep } from 'node:timers/promises';

export interface ShopOrder {
	packageNumberCustom: string;
	carrierCode: string;
	serviceType: string;
	price: number;
	recName: string;
	recStreet: string;
	recCity: string;
	recZip: string;
	recCountry: string;
	recPhone: string;
	recEmail?: string;
}

/** Long enough for an order that waits for a worker. */
const RESPONSE_TIMEOUT_MS = 60_000;
const PAUSE_MS = 2_000;

/** Every 25th order has no email. Crane rejects those. */
export function makeOrders(count: number, from = 0): ShopOrder[] {
	return Array.from({ length: count }, (_, index) => {
		const number = from + index;
		const isRejected = number % 25 === 7;
		const isAbroad = isRejected || number % 5 === 0;
		return {
			packageNumberCustom: `WEB-${String(number).padStart(5, '0')}`,
			...(isAbroad
				? { carrierCode: 'CRANE', serviceType: 'CRANE-EU' }
				: { carrierCode: 'ANT', serviceType: 'ANT-HOME' }),
			price: 100 + number,
			recName: 'Jana Nováková',
			recStreet: 'Dlouhá 12',
			recCity: 'Praha',
			recZip: '01001',
			recCountry: 'CZ',
			recPhone: '+420777123456',
			...(isRejected ? {} : { recEmail: 'jana@example.com' }),
		};
	});
}

export const willBeRejected = ({ carrierCode, recEmail }: ShopOrder) =>
	carrierCode === 'CRANE' && !recEmail;

/** Sends each order until it is accepted, `atOnce` in parallel. */
export async function sendOrders(
	webhook: () => string,
	orders: readonly ShopOrder[],
	atOnce = 12,
): Promise<{ retries: number }> {
	const waiting = [...orders];
	let retries = 0;
	const send = async () => {
		for (let order = waiting.shift(); order; order = waiting.shift()) {
			while (!(await isAccepted(webhook(), order))) {
				retries++;
				await sleep(PAUSE_MS);
			}
		}
	};
	await Promise.all(Array.from({ length: atOnce }, send));
	return { retries };
}

async function isAccepted(url: string, order: ShopOrder): Promise<boolean> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(order),
		signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
	}).catch(() => undefined);
	await answer?.arrayBuffer().catch(() => undefined);
	return answer?.status === 202;
}
