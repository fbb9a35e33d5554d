import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { mapParallel } from '../../nodes/ParcelShipping/lists';
import { deadlineOf, isFirstPoll, withPollLock } from '../../nodes/ParcelShipping/tracking/host';
import { pollOnce, readSample } from '../../nodes/ParcelShipping/tracking/poll';
import type { Poll, Watch } from '../../nodes/ParcelShipping/tracking/watch';
import { requestError, type RequestFacts } from '../../nodes/ParcelShipping/transport/errors';

// A trigger at a provider that responds from tables, without HTTP and without n8n: what a poll decides.

const MINUTE_MS = 60_000;

export const watchOf = (changes: Partial<Watch> = {}): Watch => ({
	carrierCodes: [],
	eventTypes: ['all'],
	startFrom: 'now',
	isSimple: false,
	isOncePerOrder: false,
	get selection() {
		return JSON.stringify([this.carrierCodes, this.isOncePerOrder]);
	},
	days: { noMovement: 5, waitingForPickup: 3 },
	timezone: 'Europe/Prague',
	account: 'https://api.example.com/api 1',
	...changes,
});

/** A record of the list, newest first. */
export interface ProvidedShipment {
	id: number;
	carrierCode?: string;
	packageNumberCarrier?: string | null;
	[field: string]: unknown;
}

/** An error of the provider. */
export const errorOf = (status: number, more: Partial<RequestFacts> = {}) =>
	requestError('', `Failed (${status})`, '', {
		mayHaveActed: false,
		status,
		...(status >= 500 || status === 429 ? { cause: 'temporarily-unavailable' } : {}),
		...more,
	});

/** What a rich record has, so that no detail is read. */
const RICH = {
	...{ packageNumberCustom: 'W-1', trackingUrl: 'https://t.example', orderId: null, codPrice: 0 },
	...{ recName: 'Jana', recEmail: 'jana@example.com', recPhone: '+420777123456' },
	carrierName: 'Ant Express',
};

const recordOf = (each: ProvidedShipment) => ({ carrierCode: 'ANT', ...RICH, ...each });

let triggers = 0;

export function startTrigger(changes: Partial<Watch> = {}) {
	const name = `trigger ${++triggers}`;
	let nowMs = Date.parse('2026-06-10T09:00:00Z');
	jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
	const data: Record<string, IDataObject> = { node: { __dataChanged: false }, global: {} };
	const warnings: string[] = [];
	const context = {
		getWorkflow: () => ({ id: name }),
		getNode: () => ({ id: 'n', name }),
		// Not that of the account.
		getTimezone: () => 'America/New_York',
		getActivationMode: () => 'init',
		getWorkflowStaticData: (type: string) => data[type],
		logger: { warn: (text: string) => warnings.push(text), debug: () => undefined },
	} as unknown as IPollFunctions;

	/** What the provider has. */
	const provider = {
		shipments: [] as ProvidedShipment[],
		/** By number; null if the provider does not know it, an object as the row itself. */
		events: {} as Record<string, IDataObject[] | IDataObject | null>,
		details: {} as Record<number, ProvidedShipment[]>,
		/** Fails a request by its name and what it asks for. */
		fail: undefined as ((name: string, asked: string) => Error | undefined) | undefined,
		/** What passes while a request runs. */
		tripMs: 0,
	};
	/** What was requested, such as `list 0`, `ANT 001 002` and `detail 1`. */
	let asked: string[] = [];
	const answer = async <Result>(name: string, what: string, result: () => Result) => {
		asked.push(`${name} ${what}`);
		await Promise.resolve();
		nowMs += provider.tripMs;
		const failure = provider.fail?.(name, what);
		if (failure) throw failure;
		return result();
	};
	const rowOf = (number: string) => {
		const { [number]: own = [] } = provider.events;
		if (own === null) return { packageNumberCarrier: number, statusCode: 404, message: 'No' };
		const row = Array.isArray(own) ? { statusCode: 200, events: own } : own;
		return { packageNumberCarrier: number, ...row };
	};
	const client = {
		mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 4, work),
		http: { maxParallelRequests: 4, withoutSecrets: (thrown: unknown) => thrown },
		carriers: async () => await answer('carriers', '', () => [{ code: 'ANT', name: 'Ants' }]),
		findUncheckedShipments: async (_: object, start: number) =>
			await answer('list', `${start}`, () =>
				provider.shipments.slice(start, start + 100).map(recordOf),
			),
		getShipment: async (_: string, id: number) =>
			await answer('detail', `${id}`, () => {
				if (!provider.details[id]) throw errorOf(404);
				return provider.details[id].map(recordOf);
			}),
		call: async (
			operation: string,
			{ path, body }: { path: { carrier_code: string }; body: { packages: string[] } },
		) => {
			if (operation === 'getAccount')
				return await answer('account', '', () => ({ result: { timeZone: 'Europe/Prague' } }));
			const rows = () => ({ result: body.packages.map(rowOf) });
			return await answer(path.carrier_code, body.packages.join(' '), rows);
		},
	};
	const watch = watchOf(changes);
	const pollWith = (isCurrent = () => true) =>
		({ ...deadlineOf(context), context, client, watch, isCurrent }) as unknown as Poll;
	const trigger = {
		context,
		data,
		warnings,
		watch,
		provider,
		get asked() {
			return asked;
		},
		/** What was requested, without the list. */
		get tracked() {
			return asked.filter((each) => !/^(list|account)/.test(each));
		},
		get nowMs() {
			return nowMs;
		},
		poll: async (minutes = 1): Promise<IDataObject[]> => {
			nowMs += minutes * MINUTE_MS;
			asked = [];
			const isFirst = isFirstPoll(context);
			const items = await withPollLock(context, isFirst, async (isCurrent) =>
				pollOnce(pollWith(isCurrent), isFirst),
			);
			return items ?? [];
		},
		pollTimes: async (times: number): Promise<IDataObject[]> => {
			const items: IDataObject[] = [];
			for (let left = times; left > 0; left--) items.push(...(await trigger.poll()));
			return items;
		},
		sample: async () => await readSample(pollWith()),
		/** The shipments in the saved state, without fields that are missing. */
		get state() {
			const { shipments, ...rest } = JSON.parse(
				String(data.global?.['parcelShippingTrigger:n']),
			) as { shipments: unknown[][] } & IDataObject;
			return { ...rest, shipments };
		},
	};
	return trigger;
}

/** An event of June 10, at 11:00 in Prague if there is no other time. */
export const eventAt = (time: string, code: string, more: IDataObject = {}): IDataObject => ({
	...{ date: `2026-06-${time.includes('T') ? time : `10T${time}`}:00`, code },
	...{ category: 'TransitOnTheWay', delivered: false, canceled: false },
	...more,
});

export const codesOf = (items: readonly IDataObject[]) => items.map(({ code }) => code);
