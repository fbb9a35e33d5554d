import type { Fault } from '../../sandbox';
import { creationForm, orderItem } from '../support/shop';
import { E2eSetup } from './support/e2eSetup';
import { inputNodes, node, PARCEL_SHIPPING } from './support/nodes';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
beforeEach(() => setup.sandbox.reset());
afterAll(() => setup.close());

const orders = [orderItem('AGAIN-1', { pieceCount: 2 }), orderItem('AGAIN-2')];

/** Ships the orders with *Retry On Fail* on, while the service has these faults. */
async function ship(...faults: Fault[]) {
	for (const fault of faults) setup.sandbox.fault(fault);
	const create = node({
		type: PARCEL_SHIPPING,
		name: 'Create',
		// Too short for a retry by the node, so n8n retries.
		parameters: creationForm({ maxRetryWait: 100 }),
		credentials: setup.credentials,
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 100,
	});
	return await setup.run(...inputNodes(orders), create);
}

const isCreation = ({ operationId }: { operationId: string | null }) =>
	operationId === 'createShipments';

const creation = { operation: 'createShipments' } as const;
const lostResponse = { ...creation, kind: 'reset', when: 'after' } as const;
const broken = { kind: 'status', status: 500 } as const;

interface Case {
	name: string;
	faults: Fault[];
	/** Number of times that the orders are sent. */
	sent: number;
}

const cases: Case[] = [
	{
		name: 'fails to list the carriers at first',
		faults: [{ ...broken, operation: 'findCarriers' }],
		sent: 1,
	},
	{
		name: 'rejects the orders at first',
		faults: [{ ...creation, kind: 'status', status: 400 }],
		sent: 2,
	},
	{
		name: 'limits the rate twice',
		faults: [{ ...creation, kind: 'rateLimit', times: 2 }],
		sent: 3,
	},
	{
		name: 'creates the shipments and loses the response',
		faults: [lostResponse],
		sent: 1,
	},
	{
		name: 'creates the shipments, loses the response and then fails',
		// Skips the search that comes before the orders are sent.
		faults: [lostResponse, { ...broken, operation: 'findShipments', skip: 1, times: 5 }],
		sent: 1,
	},
];

test.each(cases)('Each order is shipped once if the service $name', async (given) => {
	const execution = await ship(...given.faults);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(setup.sandbox.requests.filter(isCreation)).toHaveLength(given.sent);
	const shipments = setup.sandbox.database.shipments();
	expect(shipments.map(({ packageNumberCustom }) => packageNumberCustom)).toEqual([
		'AGAIN-1',
		'AGAIN-1',
		'AGAIN-2',
	]);
	expect(execution.jsonOf('Create').map(({ id }) => id)).toEqual(shipments.map(({ id }) => id));
	const isRecovered = given.faults.includes(lostResponse);
	expect(execution.jsonOf('Create').map(({ recovered }) => recovered)).toEqual(
		Array(3).fill(isRecovered),
	);
});
