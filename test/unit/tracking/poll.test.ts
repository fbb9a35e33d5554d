import type { IDataObject } from 'n8n-workflow';

import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { withPollLock } from '../../../nodes/ParcelShipping/tracking/host';
import { isFirstPoll, memoryOf } from '../../../nodes/ParcelShipping/tracking/nodeMemory';
import { pollOnce } from '../../../nodes/ParcelShipping/tracking/poll';
import type { DayLimits } from '../../../nodes/ParcelShipping/tracking/watch';
import { clientOf, responseOf } from '../../support/respondingClient';
import { nowMs, watchOf } from '../../support/watched';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let triggers = 0;

/** A trigger at a service that lists one shipment more in each poll. `fails` says whether it gives no events. */
function startTrigger(limits: DayLimits = { noMovement: 2 }) {
	let atMs = nowMs;
	let fails = false;
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
				...{ id: at + 1, carrierCode: 'ANT', packageNumberCarrier: `N${at + 1}` },
			}));
			return responseOf(200, { result: { data: list.reverse(), total: listed } });
		}
		if (!path.includes('/Tracking')) return responseOf(404, { message: 'Not found' });
		const { packages } = JSON.parse(body) as { packages: string[] };
		const rows = packages.map((number) => ({
			...{ packageNumberCarrier: prefix + number, statusCode: 200 },
			events: [{ category: 'TransitCarrier', code: '310', date: '2026-06-10T08:00:00Z' }],
		}));
		return fails ? responseOf(503, '') : responseOf(200, { result: rows });
	});
	const watch = watchOf({
		selection: { by: 'filters', filters: {}, createdWithinDays: 30 },
		limits,
	});
	return {
		data,
		watch,
		failFromNowOn: () => (fails = true),
		recover: () => (fails = false),
		/** The service writes the numbers in another form. */
		reformNumbers: () => (prefix = 'X-'),
		warnings,
		poll: async (waitMs = MINUTE_MS) => {
			atMs += waitMs;
			listed++;
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
		await expect(trigger.poll()).rejects.toThrow('could not complete the request (503)');
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
