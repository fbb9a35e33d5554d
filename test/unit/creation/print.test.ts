import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { CreationRun } from '../../../nodes/ParcelShipping/creation/lookUp';
import { printCreated } from '../../../nodes/ParcelShipping/creation/print';
import { printersOf } from '../../../nodes/ParcelShipping/creation/printResults';
import { ShipmentRecords } from '../../../nodes/ParcelShipping/transport/shipments';
import { contextOf } from '../../support/tries';
import { clientOf, responseOf } from '../../support/respondingClient';
import { createdRow, orderWith } from '../../support/orders';

/** Prints the labels of shipments 1 and 2, each at a carrier of its own, in a try on these printers. */
async function tryToPrint(store: IDataObject, execution: string, printers: string[]) {
	const jobs: string[] = [];
	const { client } = clientOf(({ path, body = '{}' }) => {
		const { packages = [], hash, printerName } = JSON.parse(body) as IDataObject;
		if (path.includes('/Label/Print')) {
			const carrierCode = String(packages) === '1' ? 'ANT' : 'BEAVER';
			const group = { carrierCode, hash: `of ${String(packages)}`, labelsCount: 1 };
			return responseOf(200, { result: [group], correlationId: '' });
		}
		if (path.includes('/PrintLabel')) {
			jobs.push(`${String(hash)} on ${String(printerName)}`);
			if (printerName === 'Silent') return responseOf(504, {});
			return responseOf(200, { result: printerName !== 'Off', correlationId: '' });
		}
		return path.includes('/Package/Find')
			? responseOf(200, { result: { data: [], total: 0 }, correlationId: '' })
			: responseOf(404, { message: 'Not found' });
	});
	const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
		continueOnFail: () => false,
		getNode: () => ({}),
	}) as IExecuteFunctions;
	const created = ['ANT', 'BEAVER'].map((carrierCode, itemIndex) => {
		const row = { ...createdRow(itemIndex + 1, 'A'), carrierCode };
		const pieces = [{ row, batch: null, via: 'response' as const }];
		return { order: orderWith('A', { itemIndex, carrierCode }), shipment: { pieces } };
	});
	const creation = {
		records: new ShipmentRecords(client),
		notes: { isOfEarlierExecution: () => execution !== '1' },
	} as unknown as CreationRun;
	const run = { context, client, items: [] };
	const printerOf = (item: number) => printers[item] ?? '';
	const { printedOn, hints } = await printCreated(run, [], created, creation, printerOf);
	return { jobs: jobs.sort(), printedOn, hints };
}

test('a person who retries with another printer prints what the printer refused, and nothing twice', async () => {
	const store = {};
	expect(await tryToPrint(store, '1', ['Zebra', 'Off'])).toEqual({
		jobs: ['of 1 on Zebra', 'of 2 on Off'],
		printedOn: ['Zebra'],
		hints: ['1 label was not printed. See the failed items.'],
	});
	expect(await tryToPrint(store, '2', ['A4', 'Zebra'])).toEqual({
		jobs: ['of 2 on Zebra'],
		printedOn: ['Zebra'],
		hints: ['1 label was printed before the retry, and not printed again.'],
	});
});

test('a job whose response was lost is not sent again', async () => {
	const store = {};
	expect((await tryToPrint(store, '1', ['Silent', 'Zebra'])).jobs).toHaveLength(2);
	expect(await tryToPrint(store, '2', ['Zebra', 'Zebra'])).toMatchObject({
		jobs: [],
		printedOn: [],
	});
});

test('labels that the service has not created are not counted as printed', () => {
	const printed = { isOfEarlierExecution: false };
	const job = { ...printed, labelsHash: 'h', printedOn: 'Zebra', labelsMissing: 1 };
	const other = { ...printed, labelsHash: 'i', printedOn: 'A4' };
	expect(printersOf([job, job, job, other])).toEqual(['Zebra', 'Zebra', 'A4']);
});
