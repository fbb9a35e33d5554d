// A shop that sends its orders to a webhook, and sends again what was not accepted.
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

/** What a shop waits for an answer. An order that waits for a worker is not given up before. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;

/** Every 25th has no e-mail, which Crane refuses. */
export function makeOrders(count: number, from = 0): ShopOrder[] {
	return Array.from({ length: count }, (_, index) => {
		const number = from + index;
		const isRefused = number % 25 === 7;
		const isAbroad = isRefused || number % 5 === 0;
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
			...(isRefused ? {} : { recEmail: 'jana@example.com' }),
		};
	});
}

export const isToBeRefused = ({ carrierCode, recEmail }: ShopOrder) =>
	carrierCode === 'CRANE' && !recEmail;

/** Sends each until it is accepted, `atOnce` at a time. Gives how often something had to be sent again. */
export async function sendOrders(
	webhook: () => string,
	orders: readonly ShopOrder[],
	atOnce = 12,
): Promise<{ again: number }> {
	const waiting = [...orders];
	let again = 0;
	const send = async () => {
		for (let order = waiting.shift(); order; order = waiting.shift()) {
			while (!(await isAccepted(webhook(), order))) {
				again++;
				await sleep(PAUSE_MS);
			}
		}
	};
	await Promise.all(Array.from({ length: atOnce }, send));
	return { again };
}

async function isAccepted(url: string, order: ShopOrder): Promise<boolean> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(order),
		signal: AbortSignal.timeout(PATIENCE_MS),
	}).catch(() => undefined);
	await answer?.arrayBuffer().catch(() => undefined);
	return answer?.status === 202;
}
