import type { IDataObject } from 'n8n-workflow';

import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { discoverShipments } from '../../../nodes/ParcelShipping/tracking/discover';
import { withPollLock } from '../../../nodes/ParcelShipping/tracking/host';
import { KnownRecords } from '../../../nodes/ParcelShipping/tracking/knownRecords';
import { isFirstPoll, memoryOf } from '../../../nodes/ParcelShipping/tracking/nodeMemory';
import { pollOnce } from '../../../nodes/ParcelShipping/tracking/poll';
import type { DayLimits, Watch } from '../../../nodes/ParcelShipping/tracking/watch';
import { clientOf, responseOf } from '../../support/respondingClient';
import { nowMs, stateOf, watchOf } from '../../support/watched';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let triggers = 0;

/** A trigger at a service that lists one shipment more in each poll, of each of the carriers in turn. */
function startTrigger(limits: DayLimits = { noMovement: 2 }, carriers = ['ANT']) {
	let atMs = nowMs;
	let created = 1;
	/** Those of which the service gives no events. */
	let failing: string[] = [];
	let prefix = '';
	const warnings: string[] = [];
	let listed = 0;
	const id = `poll.test ${++triggers}`;
	const data: IDataObject = { __dataChanged: false };
	const context = {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'n' }),
		getWorkflowStaticData: () => data,
		getActivationMode: () => 'init',
		logger: { warn: (text: string) => warnings.push(text), debug: () => undefined },
	};
	isFirstPoll(context as never);
	const { client } = clientOf(({ path, body = '{}' }) => {
		if (path.includes('/Package/Find')) {
			const list = Array.from({ length: listed }, (_, at) => ({
				...{ id: at + 1, packageNumberCarrier: `N${at + 1}` },
				carrierCode: carriers[at % carriers.length],
			}));
			if (failing.includes('list')) return responseOf(504, '');
			return responseOf(200, { result: { data: list.reverse(), total: listed } });
		}
		if (!path.includes('/Tracking')) return responseOf(404, { message: 'Not found' });
		const { packages } = JSON.parse(body) as { packages: string[] };
		const rows = packages.map((number) => ({
			...{ packageNumberCarrier: prefix + number, statusCode: 200 },
			events: [{ category: 'TransitCarrier', code: '310', date: '2026-06-10T08:00:00Z' }],
		}));
		return failing.some((code) => path.includes(code))
			? responseOf(504, '')
			: responseOf(200, { result: rows });
	});
	const watch = watchOf({
		selection: { by: 'filters', filters: {}, createdWithinDays: 30 },
		limits,
	});
	return {
		data,
		watch,
		failFromNowOn: (...of: string[]) => (failing = of.length > 0 ? of : carriers),
		recover: () => (failing = []),
		stopCreating: () => (created = 0),
		/** The service writes the numbers in another form. */
		reformNumbers: () => (prefix = 'X-'),
		warnings,
		poll: async (waitMs = MINUTE_MS) => {
			atMs += waitMs;
			listed += created;
			const budget = new Budget(() => atMs, MINUTE_MS);
			const poll = { context, client, watch, budget } as never;
			const items = await withPollLock(context as never, false, async () => pollOnce(poll, false));
			return items ?? [];
		},
		/** What the next poll of this process begins with. */
		kept: () => memoryOf(context as never).last?.text ?? '',
	};
}

test('a poll in which no shipment has events says why in the log of n8n', async () => {
	const trigger = startTrigger();
	await trigger.poll();
	expect(trigger.warnings).toEqual([]);
	trigger.reformNumbers();
	await trigger.poll();
	expect(trigger.warnings.join()).toContain(
		'The service returned no events of any shipment. No tracking result for shipment N',
	);
});

describe('While the service lists shipments and gives no events', () => {
	test('a poll fails, and what it has read of the list is kept', async () => {
		const trigger = startTrigger();
		await trigger.poll();
		trigger.failFromNowOn();
		await expect(trigger.poll()).rejects.toThrow('could not complete the request (504)');
		expect(trigger.kept()).toContain('N2');
	});

	test('the end of a period is reported, and the poll does not fail', async () => {
		const trigger = startTrigger();
		await trigger.poll();
		trigger.failFromNowOn();
		const items = await trigger.poll(3 * DAY_MS);
		expect(items.map(({ eventGroup }) => eventGroup)).toEqual(['noMovement']);
	});
});

describe('A poll in which only the shipments of a carrier that is down are due', () => {
	const startWithTwo = async (watch: Partial<Watch> = {}) => {
		const trigger = startTrigger({}, ['ANT', 'BEAVER']);
		Object.assign(trigger.watch, watch);
		for (let shipment = 1; shipment <= 2; shipment++) await trigger.poll();
		trigger.stopCreating();
		await trigger.poll(180 * MINUTE_MS);
		trigger.failFromNowOn('BEAVER');
		await trigger.poll(11 * MINUTE_MS).catch(() => []);
		return trigger;
	};
	const shipments = [
		{ carrier: 'ANT', number: 'N1' },
		{ carrier: 'BEAVER', number: 'N2' },
	];
	const selection = { by: 'numbers' as const, shipments };

	test.each<[string, Partial<Watch>]>([
		['a list', {}],
		['numbers', { selection }],
	])('does not fail, and one fails in which all are down: with %s', async (_, watch) => {
		const trigger = await startWithTwo(watch);
		expect(await trigger.poll()).toEqual([]);
		trigger.failFromNowOn();
		await expect(trigger.poll(11 * MINUTE_MS)).rejects.toThrow('(504)');
	});

	test('fails if the list fails as well', async () => {
		const trigger = await startWithTwo();
		trigger.failFromNowOn('BEAVER', 'list');
		await expect(trigger.poll()).rejects.toThrow('(504)');
	});

	test('fails if the trigger watches no others', async () => {
		const trigger = await startWithTwo({
			selection: { ...selection, shipments: shipments.slice(1) },
		});
		await expect(trigger.poll()).rejects.toThrow('(504)');
	});
});

test('a null row and a record without a carrier do not hide the other shipments of the list', async () => {
	const { client } = clientOf(() => {
		const data = [null, { id: 1 }, { id: 2, carrierCode: 'ANT', packageNumberCarrier: 'N2' }];
		return responseOf(200, { result: { data, total: 3 } });
	});
	const poll = { client, watch: watchOf(), budget: new Budget(() => nowMs, MINUTE_MS) };
	const records = new KnownRecords(nowMs);
	const { list, shipments, failures } = await discoverShipments(
		stateOf([]),
		poll as never,
		records,
	);
	expect(shipments).toMatchObject([{ id: 2, number: 'N2' }]);
	expect([list, failures]).toEqual([{ next: 0, wasCompleted: true }, []]);
	// What is created must be compared with every record, so other lists are not read in part.
	await expect(client.list('findShipments', {})).rejects.toThrow('Unexpected response');
});

test('a period that is over after its type was selected is reported, although the shipment is read later', async () => {
	const trigger = startTrigger({});
	await trigger.poll();
	await trigger.poll(2 * DAY_MS - 3 * 60 * MINUTE_MS);
	trigger.failFromNowOn();
	trigger.watch.limits = { noMovement: 2 };
	await trigger.poll().catch(() => []);
	trigger.recover();
	const items = await trigger.poll(120 * MINUTE_MS);
	expect(items).toContainEqual(
		expect.objectContaining({ packageNumberCarrier: 'N1', eventGroup: 'noMovement' }),
	);
});

test.each<[string, IDataObject, number]>([
	['come with Existing Events', {}, 1],
	['do not come again if the saved state is unreadable', { 'parcelShippingTrigger:n': '{' }, 0],
])('existing events %s', async (_, saved, count) => {
	const trigger = startTrigger();
	Object.assign(trigger.data, saved);
	trigger.watch.startFrom = 'existing';
	expect(await trigger.poll()).toHaveLength(count);
	expect(await trigger.poll()).toHaveLength(count);
});
