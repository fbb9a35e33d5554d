import type { Fault } from '../../sandbox';
import { creationForm, orderItem } from '../support/shop';
import { Bench } from './support/bench';
import { give, node, PARCEL_SHIPPING } from './support/nodes';

let bench: Bench;
beforeAll(async () => {
	bench = await Bench.open();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

const orders = [orderItem('AGAIN-1', { pieceCount: 2 }), orderItem('AGAIN-2')];

/** Ships the orders with *Retry On Fail* on; the service behaves as `faults` have it. */
async function ship(...faults: Fault[]) {
	for (const fault of faults) bench.sandbox.fault(fault);
	const create = node({
		type: PARCEL_SHIPPING,
		name: 'Create',
		// So impatient that it is n8n that tries again.
		parameters: creationForm({ maxRetryWait: 100 }),
		credentials: bench.credentials,
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 100,
	});
	return await bench.run(...give(orders), create);
}

const asked = (operation: string) =>
	bench.sandbox.requests.filter(({ operationId }) => operationId === operation).length;

const creation = { operation: 'createShipments' } as const;
const lostAnswer = { ...creation, kind: 'reset', when: 'after' } as const;
const broken = { kind: 'status', status: 500 } as const;

interface Story {
	name: string;
	faults: Fault[];
	/** How often n8n executes the node. */
	tries: number;
	/** How often the orders are sent. */
	sent: number;
}

const stories: Story[] = [
	{
		name: 'cannot say at first which carriers there are',
		faults: [{ ...broken, operation: 'findCarriers' }],
		tries: 2,
		sent: 1,
	},
	{
		name: 'turns the orders away at first',
		faults: [{ ...creation, kind: 'status', status: 400 }],
		tries: 2,
		sent: 2,
	},
	{
		name: 'asks twice for fewer requests',
		faults: [{ ...creation, kind: 'rateLimit', times: 2 }],
		tries: 3,
		sent: 3,
	},
	{ name: 'does the work and loses the answer', faults: [lostAnswer], tries: 1, sent: 1 },
	{
		name: 'does the work, loses the answer, and then breaks down',
		// The orders are looked for once before they are sent.
		faults: [lostAnswer, { ...broken, operation: 'findShipments', skip: 1, times: 5 }],
		tries: 2,
		sent: 1,
	},
];

test.each(stories)('A service that $name: each order exists once', async (story) => {
	const execution = await ship(...story.faults);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	expect({ tries: asked('findCarriers'), sent: asked('createShipments') }).toEqual({
		tries: story.tries,
		sent: story.sent,
	});
	const booked = bench.sandbox.database.shipments();
	expect(booked.map(({ packageNumberCustom }) => packageNumberCustom)).toEqual([
		'AGAIN-1',
		'AGAIN-1',
		'AGAIN-2',
	]);
	expect(execution.jsonOf('Create').map(({ id }) => id)).toEqual(booked.map(({ id }) => id));
	const isRecovered = story.faults.includes(lostAnswer);
	expect(execution.jsonOf('Create').map(({ recovered }) => recovered)).toEqual(
		Array(3).fill(isRecovered),
	);
});
