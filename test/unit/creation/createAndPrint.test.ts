// The steps as a whole are tested in the engine tests of creation, and in the simulation.
import type { IDataObject } from 'n8n-workflow';

import { createAndPrint } from '../../../nodes/ParcelShipping/creation/createAndPrint';
import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { orderWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

test('after a duplicate could not be canceled, no label is printed without asking', async () => {
	const idOf: Record<string, number> = { A: 11, B: 12 };
	const printed: unknown[] = [];
	let lists = 0;
	const { client } = clientOf(({ path, body = '{}' }) => {
		const given = JSON.parse(body) as IDataObject;
		if (path.includes('/Package/Find')) {
			lists++;
			// Another run has created A as well, and prints B while this one tries to cancel its own.
			const ofOther = { id: 5, packageNumberCustom: 'A' };
			const own = Object.entries(idOf).map(([packageNumberCustom, id]) => {
				return { id, packageNumberCustom, printed: id === 12 && lists > 2 };
			});
			const records = lists === 1 ? [] : [ofOther, ...own];
			const data = records.map((each) => {
				return { carrierCode: 'ANT', packageNumberCarrier: `N${each.id}`, pieceCount: 1, ...each };
			});
			return responseOf(200, { result: { data, total: data.length }, correlationId: '' });
		}
		if (path.includes('/Create')) {
			const [{ packageNumberCustom = '' } = {}] = given as unknown as IDataObject[];
			const reference = String(packageNumberCustom);
			const id = idOf[reference] ?? 0;
			const row = { id, packageNumberCustom: reference, packageNumberCarrier: `N${id}` };
			const result = [{ ...row, carrierCode: 'ANT', statusCode: 200 }];
			const batch = { batchId: id, labelsHash: `hash of ${reference}`, packagesCount: 1 };
			return responseOf(200, { ...batch, result, correlationId: '' });
		}
		if (path.includes('/PrintLabel')) printed.push(given.hash);
		if (path.includes('/Printer')) return responseOf(200, { result: true, correlationId: '' });
		return responseOf(400, { message: 'Not now' });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		addExecutionHints: () => {},
		getNode: () => ({ onError: 'continueRegularOutput' }),
		continueOnFail: () => true,
	});
	const orders = ['A', 'B'].map((reference, itemIndex) => orderWith(reference, { itemIndex }));
	const run = { context, client, items: [{ json: {} }, { json: {} }] } as unknown as NodeRun;
	const options = readCreationOptions({ batchSize: 1, ifPrintingFails: 'continue' });
	await createAndPrint(run, { orders, invalid: [], hints: [] }, options, () => 'P');
	expect([lists, printed]).toEqual([3, []]);
});
