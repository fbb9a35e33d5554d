import { E2eSetup } from './support/e2eSetup';
import { storeExample, unpublish, untilThereIs } from './support/examples';
import { executionsOf } from './support/executions';

let setup: E2eSetup;

beforeAll(async () => {
	setup = await E2eSetup.open();
});

afterAll(async () => {
	await setup.close();
});

// n8n polls at most once a minute. Twelve schedules make that every five seconds.
const everyFiveSeconds = {
	item: Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	})),
};

test('Tracking events send messages to the right people and add rows to the table of orders', async () => {
	const workflow = await storeExample(setup, 'trackingMessages', (node) =>
		node.name === 'New Tracking Event'
			? { ...node, parameters: { ...node.parameters, pollTimes: everyFiveSeconds } }
			: node,
	);
	const recipients = [
		// Two pieces must result in one message.
		{
			packageNumberCustom: 'WEB-1',
			recName: 'Jana Nováková',
			recEmail: 'jana@example.com',
			pieceCount: 2,
		},
		{ packageNumberCustom: 'WEB-2', recName: 'Petr Svoboda', recEmail: 'petr@example.com' },
		{ packageNumberCustom: 'WEB-3', recName: 'Anna Müller', recEmail: 'anna@example.com' },
		{ packageNumberCustom: 'WEB-4', recName: 'Luca Rossi', recEmail: 'luca@example.com' },
	];
	const shipments = setup.sandbox
		.seedShipments(4, { each: (index) => recipients[index] ?? {} })
		.filter(({ pieceIndex }) => pieceIndex === 0);
	const [home, point, damaged, onTheWay] = shipments.map((each) => each.packageNumberCarrier) as [
		string,
		string,
		string,
		string,
	];
	await setup.n8n.publish(workflow);
	setup.sandbox.addEvent(home, { category: 'Delivered', name: 'Delivered', delivered: true });
	setup.sandbox.addEvent(point, { name: 'Waiting at the pickup point', category: 'Waiting' });
	setup.sandbox.addEvent(damaged, { name: 'The box is damaged', category: 'Depot' });
	setup.sandbox.addEvent(onTheWay, { name: 'At the depot', category: 'TransitCarrier' });

	const messages = await untilThereIs(async () => {
		const executions = await executionsOf(setup.n8n, workflow.id);
		const failed = executions.find(({ error }) => error);
		if (failed) throw new Error(failed.error?.message);
		const written = ['Delivered', 'Ready for Pickup', 'Trouble'].map((branch) =>
			executions.flatMap((execution) => execution.jsonOf(branch)),
		);
		return written.every((branch) => branch.length > 0) ? written : undefined;
	});
	await unpublish(setup, workflow);

	expect(messages.map((branch) => branch.length)).toEqual([1, 1, 1]);
	expect(messages).toMatchObject([
		[{ shipment: home, orderNumber: 'WEB-1', to: 'jana@example.com', status: 'delivered' }],
		[{ shipment: point, orderNumber: 'WEB-2', to: 'petr@example.com', status: 'ready for pickup' }],
		[{ shipment: damaged, orderNumber: 'WEB-3', to: 'orders@example.com', status: 'trouble' }],
	]);
	expect(messages[0]?.[0]?.text).toMatch(/^Hello Jana Nováková,\n/);
	expect(messages[1]?.[0]?.text).toContain(`Where it is: ${setup.sandbox.home}`);
	expect(messages[2]?.[0]?.text).toContain('The box is damaged');
	const rows = await readTable('Orders and their shipments');
	expect(
		rows.filter(({ shipment }) => shipments.some((s) => s.packageNumberCarrier === shipment)),
	).toMatchObject([{ shipment: home }, { shipment: point }, { shipment: damaged }]);
});

test('Inactive parcels are reported to customer service, each with its own message', async () => {
	const workflow = await storeExample(setup, 'inactiveParcels', (node) =>
		node.name === 'Inactive Parcel'
			? {
					...node,
					parameters: {
						...node.parameters,
						pollTimes: everyFiveSeconds,
						// The days are over before publishing, because the test cannot wait for days.
						startFrom: 'existing',
						filters: { search: 'SILENT' },
					},
				}
			: node,
	);
	setup.sandbox.setTracking('ANT', { lateHours: 10_000 });
	const [silent, waiting] = setup.sandbox
		.seedShipments(3, {
			hoursAgo: 6 * 24,
			each: (index) => ({ packageNumberCustom: `SILENT-${index}`, recEmail: 'jana@example.com' }),
		})
		.map(({ packageNumberCarrier }) => packageNumberCarrier) as [string, string, string];
	const daysAgo = (days: number) =>
		new Date(setup.sandbox.now().getTime() - days * 86_400_000).toISOString();
	setup.sandbox.addEvent(waiting, { category: 'TransitReady', date: daysAgo(4) });
	const [, , moving = ''] = setup.sandbox.database
		.shipments()
		.filter(({ packageNumberCustom }) => packageNumberCustom.startsWith('SILENT'))
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
	setup.sandbox.addEvent(moving, { date: daysAgo(4) });
	await setup.n8n.publish(workflow);

	const messages = await untilThereIs(async () => {
		const executions = await executionsOf(setup.n8n, workflow.id);
		const written = ['No Movement', 'Waiting for Pickup'].map((branch) =>
			executions.flatMap((execution) => execution.jsonOf(branch)),
		);
		return written.every((branch) => branch.length > 0) ? written : undefined;
	});
	await unpublish(setup, workflow);
	expect(messages).toMatchObject([
		[{ to: 'service@example.com', subject: 'No movement for 5 days: order SILENT-0' }],
		[{ to: 'service@example.com', subject: 'Not picked up for 3 days: order SILENT-1' }],
	]);
	expect(messages[0]?.[0]?.text).toContain(`Shipment ${silent} of carrier ANT (order SILENT-0)`);
	expect(messages[0]?.[0]?.text).toContain('jana@example.com');
});

async function readTable(name: string): Promise<Array<Record<string, unknown>>> {
	type Rows<Row> = { data: Row[] };
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await setup.n8n.request<Rows<{ id: string; projectId: string }>>(
		'GET',
		`/data-tables-global?filter=${filter}`,
	);
	const [table] = data;
	const rows = `/projects/${table?.projectId}/data-tables/${table?.id}/rows?take=100`;
	return (await setup.n8n.request<Rows<Record<string, unknown>>>('GET', rows)).data;
}
