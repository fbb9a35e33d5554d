import { Bench } from './support/bench';
import { storeExample, unpublish, untilThereIs } from './support/examples';
import { executionsOf } from './support/executions';

let bench: Bench;

beforeAll(async () => {
	bench = await Bench.open();
});

afterAll(async () => {
	await bench.close();
});

// n8n polls at most once a minute. Twelve schedules make that every five seconds.
const everyFiveSeconds = {
	item: Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	})),
};

test('Tracking events become messages to the right people and rows in the table of orders', async () => {
	const workflow = await storeExample(bench, 'trackingMessages', (node) =>
		node.name === 'New Tracking Event'
			? { ...node, parameters: { ...node.parameters, pollTimes: everyFiveSeconds } }
			: node,
	);
	const people = [
		// With two pieces, one message is enough.
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
	const shipments = bench.sandbox
		.seedShipments(4, { each: (index) => people[index] ?? {} })
		.filter(({ pieceIndex }) => pieceIndex === 0);
	const [home, point, damaged, onTheWay] = shipments.map((each) => each.packageNumberCarrier) as [
		string,
		string,
		string,
		string,
	];
	await bench.n8n.publish(workflow);
	bench.sandbox.addEvent(home, { category: 'Delivered', name: 'Delivered', delivered: true });
	bench.sandbox.addEvent(point, { name: 'Waiting at the pickup point', category: 'Waiting' });
	bench.sandbox.addEvent(damaged, { name: 'The box is damaged', category: 'Depot' });
	bench.sandbox.addEvent(onTheWay, { name: 'At the depot', category: 'TransitCarrier' });

	const messages = await untilThereIs(async () => {
		const executions = await executionsOf(bench.n8n, workflow.id);
		const failed = executions.find(({ error }) => error);
		if (failed) throw new Error(failed.error?.message);
		const written = ['Delivered', 'Ready for Pickup', 'Trouble'].map((branch) =>
			executions.flatMap((execution) => execution.jsonOf(branch)),
		);
		return written.every((branch) => branch.length > 0) ? written : undefined;
	});
	await unpublish(bench, workflow);

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
	const { data } = await bench.n8n.request<Rows<{ id: string; projectId: string }>>(
		'GET',
		`/data-tables-global?filter=${filter}`,
	);
	const [table] = data;
	const rows = `/projects/${table?.projectId}/data-tables/${table?.id}/rows?take=100`;
	return (await bench.n8n.request<Rows<Record<string, unknown>>>('GET', rows)).data;
}
