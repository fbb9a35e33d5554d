import type { IDataObject } from 'n8n-workflow';

import type { CreationRun } from '../../../nodes/ParcelShipping/creation/lookUp';
import { printCreated } from '../../../nodes/ParcelShipping/creation/print';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipments';
import { runOf } from '../../support/tries';
import { clientOf, recordsFor, responseOf } from '../../support/respondingClient';
import { resultOf } from '../../support/orders';

/** Prints the label of shipment 1 in a try at a provider with these records. The printer Off refuses every job. */
async function tryToPrint(
	store: IDataObject,
	execution: string,
	printer: string,
	records: IDataObject[] = [],
) {
	const jobs: unknown[] = [];
	const { client } = clientOf((request) => {
		const { path, body = '{}' } = request;
		if (path.includes('/Label/Print'))
			return responseOf(200, { result: [{ carrierCode: 'ANT', hash: 'h1', labelsCount: 1 }] });
		if (!path.includes('/PrintLabel')) return recordsFor(request, records);
		const { printerName } = JSON.parse(body) as IDataObject;
		jobs.push(printerName);
		return responseOf(200, { result: printerName !== 'Off' });
	});
	const run = {
		...runOf(client, { store, execution, continues: false }),
		records: new ShipmentRecords(client),
		notes: { isOfEarlierExecution: () => execution !== '1' },
	} as unknown as CreationRun;
	const printerOf = () => ({ printerName: printer, printer });
	const created = [resultOf(0, 'response')];
	const { results } = await printCreated(created, run, printerOf, []);
	const errors = results.map((each) => 'failure' in each && describeError(each.failure).message);
	return { jobs, errors };
}

test('a label that the printer refused is printed on another one, but not once its shipment is canceled', async () => {
	const record = { id: 1, carrierCode: 'ANT', packageNumberCustom: 'A-0' };
	const retryWith = async (more: object) => {
		const store = {};
		await tryToPrint(store, '1', 'Off');
		return await tryToPrint(store, '2', 'Zebra', [{ ...record, ...more }]);
	};
	expect(await retryWith({})).toEqual({ jobs: ['Zebra'], errors: [] });
	const message = 'The label was not printed, because the shipment is canceled';
	expect(await retryWith({ canceled: true })).toEqual({ jobs: [], errors: [message] });
});
