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
	expect(messages[2]?.[0]?.text).toContain('The box is damaged');
	const rows = await readTable('Orders and their shipments');
	expect(
		rows.filter(({ shipment }) => shipments.some((s) => s.packageNumberCarrier === shipment)),
	).toMatchObject([{ shipment: home }, { shipment: point }, { shipment: damaged }]);
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
