import type { IDataObject } from 'n8n-workflow';

import type { CreationRun } from '../../../nodes/ParcelShipping/creation/lookUp';
import { printCreated } from '../../../nodes/ParcelShipping/creation/print';
import { countPrinted, type Job } from '../../../nodes/ParcelShipping/labels/print';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipments';
import { runOf } from '../../support/tries';
import { clientOf, recordsFor, responseOf } from '../../support/respondingClient';
import { createdRow, orderWith } from '../../support/orders';

/** Prints the labels of shipments 1 and 2, each at a carrier of its own, in a try on these printers. */
async function tryToPrint(
	store: IDataObject,
	execution: string,
	printers: string[],
	data: IDataObject[] = [],
) {
	const jobs: string[] = [];
	const { client } = clientOf((request) => {
		const { path, body = '{}' } = request;
		const { packages = [], hash, printerName } = JSON.parse(body) as IDataObject;
		if (path.includes('/Label/Print')) {
			const carrierCode = String(packages) === '1' ? 'ANT' : 'BEAVER';
			const group = { carrierCode, hash: `of ${String(packages)}`, labelsCount: 1 };
			return responseOf(200, { result: [group] });
		}
		if (path.includes('/PrintLabel')) {
			jobs.push(`${String(hash)} on ${String(printerName)}`);
			if (printerName === 'Silent') return responseOf(504, {});
			return responseOf(200, { result: printerName !== 'Off' });
		}
		return recordsFor(request, data);
	});
	const created = ['ANT', 'BEAVER'].map((carrierCode, itemIndex) => {
		const row = { ...createdRow(itemIndex + 1, 'A'), carrierCode };
		const pieces = [{ row, batch: null, via: 'response' as const }];
		return { order: orderWith('A', { itemIndex, carrierCode }), shipment: { pieces } };
	});
	const creation = {
		records: new ShipmentRecords(client),
		notes: { isOfEarlierExecution: () => execution !== '1' },
	} as unknown as CreationRun;
	const run = runOf(client, { store, execution, continues: false });
	const printerOf = (item: number) => {
		const printerName = printers[item] ?? '';
		return { printerName, printer: `the ${printerName}` };
	};
	const { results, ...said } = await printCreated(run, created, creation, printerOf, []);
	const errors = results.map((each) => 'failure' in each && describeError(each.failure));
	return { jobs: jobs.sort(), ...said, errors };
}

test('a person who retries with another printer prints what the printer refused, and nothing twice', async () => {
	const store = {};
	expect(await tryToPrint(store, '1', ['Zebra', 'Off'])).toEqual({
		jobs: ['of 1 on Zebra', 'of 2 on Off'],
		printed: ['1 label printed on the Zebra'],
		hints: ['1 label was not printed. See the failed items.'],
		errors: [
			expect.objectContaining({
				message: 'The label was not printed on "the Off": the printer did not accept it',
				description: expect.stringMatching(
					/^The shipment exists \(ID 2\), so do not create it again\. Check the printer/,
				),
			}),
		],
	});
	expect(await tryToPrint(store, '2', ['A4', 'Zebra'])).toEqual({
		jobs: ['of 2 on Zebra'],
		printed: ['1 label printed on the Zebra'],
		errors: [],
		hints: [],
	});
});

test('a label that the printer refused is not printed once its shipment is canceled', async () => {
	const store = {};
	await tryToPrint(store, '1', ['Zebra', 'Off']);
	const canceled = { id: 2, carrierCode: 'BEAVER', packageNumberCustom: 'A', canceled: true };
	const { jobs, errors } = await tryToPrint(store, '2', ['A4', 'Zebra'], [canceled]);
	const message = 'The label was not printed, because the shipment is canceled';
	expect([jobs, errors]).toEqual([[], [expect.objectContaining({ message })]]);
});

test('labels that the provider has not created are not counted as printed', () => {
	const job = {
		ids: [1, 2, 3],
		state: 'printed',
		printer: 'Zebra',
		output: { labelsMissing: 1 },
		execution: '1',
	};
	const other = { ...job, ids: [4], printer: 'A4', output: {} };
	const lost = { ...other, state: 'sent' };
	const results = [job, other, lost] as unknown as Job[];
	expect(countPrinted(results, '2')).toEqual([]);
	expect(countPrinted(results, '1')).toEqual(['3 labels printed on Zebra, A4']);
});
