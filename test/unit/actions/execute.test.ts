import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../../nodes/ParcelShipping/actions';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import {
	clientOf,
	pageOf,
	recordsFor,
	responseOf,
	type Sent,
} from '../../support/respondingClient';
import { runOf, saved } from '../../support/tries';

/** Runs an operation for items, without an error output. */
async function runForm(
	operationName: string,
	form: IDataObject,
	items: IDataObject[],
	respond: (sent: Sent) => ReturnType<typeof responseOf>,
	{ store = {}, execution = '1', maxParallelRequests = 4 } = {},
) {
	const { client, requests } = clientOf(respond, { maxParallelRequests });
	const run = runOf(client, { store, execution, form, items, continues: false });
	const [resource = '', name = ''] = operationName.split('/');
	const results = await findOperation(resource, name).execute(run);
	return {
		failures: results.flatMap((result) =>
			'failure' in result ? [describeError(result.failure).message] : [],
		),
		outputs: results.flatMap((result) => ('json' in result ? [result.json] : [])),
		links: results.map((result) => result.items),
		paths: requests.map(({ path }) => path),
		bodies: requests.map(({ body = '' }) => body),
	};
}

test.each(['shipment/cancel', 'shipment/handOver', 'shipment/track', 'label/create'])(
	'%s refuses a way to choose shipments that the form does not have',
	async (operation) => {
		const chosen = { carrierCode: 'ANT', packageNumber: 'A1', shipmentIds: 1, orderNumber: '7' };
		const form = { ...chosen, shipments: 'id' };
		const run = await runForm(operation, form, [{}], () => responseOf(500, ''));
		expect(run).toMatchObject({ failures: ['Invalid Shipments: "id"'], paths: [] });
	},
);

test("the carrier picks up on the day of the workflow's time zone", async () => {
	const options = { date: '2026-11-20T23:30:00.000Z' };
	const form = { shipments: 'ids', shipmentIds: '1', options };
	const record = { id: 1, canceled: false, submittedCarrier: false };
	const respond = ({ path }: Sent) =>
		responseOf(200, { result: path.includes('/Order') ? { id: 9, packagesCount: 1 } : [record] });
	const items = [{ carrierCode: 'ANT' }];
	const { bodies } = await runForm('shipment/handOver', form, items, respond);
	expect(bodies).toContain('{"date":"2026-11-21","packages":[1]}');
});

test('Track requests the numbers of all items by carrier, each once and a hundred at a time', async () => {
	const numbers = Array.from({ length: 150 }, (_, at) => `A${at}`);
	const form = { shipments: 'numbers', packageNumber: [numbers.join(), 'A1', 'A7'] };
	const items = ['ANT', 'BEAVER', 'ANT'].map((carrierCode) => ({ carrierCode }));
	const respond = () => responseOf(500, '');
	const { paths, bodies } = await runForm('shipment/track', form, items, respond);
	const counts = bodies.map((body) => (JSON.parse(body) as { packages: string[] }).packages.length);
	expect(counts).toEqual([100, 50, 1]);
	const wrong = runForm('shipment/track', { output: 'event' }, [{}], respond);
	await expect(wrong).rejects.toThrow('Invalid Output: "event"');
	expect(paths.map((path) => path.split('/')[1])).toEqual(['ANT', 'ANT', 'BEAVER']);
});

/** Prints labels. The response of the printer Lost is lost, and every other printer refuses the job. */
async function print(form: IDataObject, how: Parameters<typeof runForm>[4] = {}) {
	const items = [1, 2].slice(0, (form.printerName as string[]).length);
	const respond = ({ path, body = '{}' }: Sent) => {
		const { packages = [], printerName } = JSON.parse(body) as {
			packages?: number[];
			printerName?: string;
		};
		if (path.includes('/Detail')) return responseOf(200, { result: [{ id: 1, printed: false }] });
		if (path.includes('/PrintLabel')) {
			return printerName === 'Lost'
				? responseOf(500, '')
				: responseOf(400, { message: 'Switched off' });
		}
		const labels = { carrierCode: 'ANT', hash: `h${packages.join()}`, labelsCount: 1 };
		return responseOf(200, { result: [labels] });
	};
	const given = items.map((id) => ({ id, carrierCode: 'ANT' }));
	const ofShipments = { labels: 'shipments', ...form };
	return await runForm('label/sendToPrinter', ofShipments, given, respond, how);
}

test('A retry of printing that sends nothing names the job that is still unknown', async () => {
	const store = {};
	const form = { labels: 'hash', printerName: ['Lost', 'Lost'] };
	await print({ ...form, hash: ['h1', 'h2'] }, { store });
	const retry = await print({ ...form, hash: ['h1', ''] }, { store: saved(store), execution: '2' });
	expect(retry.failures).toEqual([
		'Hash is empty',
		expect.stringContaining('The label with hash h1 may or may not have been printed'),
		expect.stringContaining('The label with hash h2 may or may not have been printed'),
	]);
	expect([retry.links, retry.paths]).toEqual([[[1], [0], [1]], []]);
});

test('labels are named if an earlier job with them was lost, and a printer refused others before', async () => {
	const store = {};
	await print({ shipmentIds: [2, 1], printerName: ['Off', 'Lost'] }, { store });
	const form = { shipmentIds: [2, 1], printerName: ['Off', 'A4'] };
	const how = { store: saved(store), execution: '2', maxParallelRequests: 1 };
	const { failures } = await print(form, how);
	expect(failures.sort()).toEqual([
		expect.stringContaining('The label of shipment ID 1 may or may not have been printed'),
		expect.stringContaining('Switched off'),
	]);
});

describe('Get Many', () => {
	test.each<[string, unknown, unknown, number]>([
		['in a list with spaces', ' 17 ', undefined, 1],
		['in the detail, at a service whose list has none', undefined, '17', 1],
		['in the detail, although the list says null', null, ' 17', 1],
		['nowhere', null, null, 0],
	])('finds a shipment by its order number %s', async (_, inList, inDetail, count) => {
		const record = { id: 1, carrierCode: 'ANT' };
		const listed = [{ ...record, packageNumberCustom: inList }];
		const details = { 1: [{ ...record, packageNumberCustom: inDetail }] };
		const find = async (packageNumberCustom: string) => {
			const form = { returnAll: true, filters: { packageNumberCustom } };
			const respond = (sent: Sent) => recordsFor(sent, listed, details);
			return (await runForm('shipment/getAll', form, [{}], respond)).outputs;
		};
		expect(await find('17')).toHaveLength(count);
		expect(await find('null')).toEqual([]);
	});

	test('counts only shipments with exactly the order number for its limit', async () => {
		const listed = ['ORDER-10', 'ORDER-1'].map((packageNumberCustom, at) => {
			return { id: at + 1, carrierCode: 'ANT', packageNumberCustom };
		});
		const form = { limit: 1, filters: { packageNumberCustom: 'ORDER-1' } };
		const { outputs } = await runForm('shipment/getAll', form, [{}], ({ body = '{}' }) => {
			const { length = 0 } = JSON.parse(body) as { length?: number };
			return pageOf(listed.slice(0, length), 2);
		});
		expect(outputs).toMatchObject([{ packageNumberCustom: 'ORDER-1' }]);
	});

	test.each(['batch', 'handOver'])(
		'has the newest of %s first, without files if the switch is the text false',
		async (resource) => {
			const form = { limit: 1, download: 'false' };
			const respond = ({ body = '{}' }: Sent) => {
				const { sortOrder } = JSON.parse(body) as { sortOrder?: string };
				const protocolUrl = 'https://api.example.com/api/files/3';
				return pageOf((sortOrder === 'desc' ? [2, 1] : [1, 2]).map((id) => ({ id, protocolUrl })));
			};
			const { outputs, paths } = await runForm(`${resource}/getAll`, form, [{}], respond);
			expect([outputs, paths.length]).toMatchObject([[{ id: 2 }], 1]);
		},
	);
});
