import type { IDataObject } from 'n8n-workflow';

import { openPrinting } from '../../../nodes/ParcelShipping/labels/print';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf, saved } from '../../support/tries';

const job = {
	...{ printerName: 'Lost', hash: 'h', labels: {} },
	targets: [{ id: 1, carrierCode: 'ANT', items: [0] }],
};

/**
 * One try of an execution: prints the label on these printers, and returns what it knew of earlier tries. The
 * response of the printer `Lost` is lost. `printed` is what the detail says; the list always says that it was not printed.
 */
async function tryToPrint(
	store: IDataObject,
	execution: string,
	{ printed, printers = [] }: { printed: boolean | undefined; printers?: string[] },
) {
	const { client } = clientOf(({ path, body = '{}' }) => {
		if (path.includes('/PrintLabel')) {
			const { printerName } = JSON.parse(body) as IDataObject;
			return printerName === 'Lost' ? responseOf(500, '') : responseOf(200, { result: true });
		}
		if (path.includes('/Detail')) return responseOf(200, { result: [{ id: 1, printed }] });
		const data = [{ id: 1, carrierCode: 'ANT', printed: false }];
		return responseOf(200, { result: { data, total: 1 } });
	});
	const context = Object.assign(contextOf(store, { execution }), { continueOnFail: () => true });
	const run = { context, client, items: [] } as NodeRun;
	const { earlier, mayPrint, send } = await openPrinting(run);
	const isOpen = mayPrint({ id: 1 });
	await send(printers.map((printerName) => ({ ...job, printerName })));
	return {
		store: saved(store),
		isOpen,
		earlier: earlier.map(({ outcome }) => [
			'value' in outcome ? outcome.value.printerName : 'Lost',
			outcome.state,
		]),
	};
}

describe('A lost print job of which the record says that the label was not printed', () => {
	const lose = async () => tryToPrint({}, '1', { printed: false, printers: ['Lost'] });

	test('is not sent again by n8n, and a person may send it again', async () => {
		const { store } = await lose();
		const byN8n = await tryToPrint(store, '1', { printed: false });
		expect(byN8n.earlier).toEqual([['Lost', 'unknown']]);
		expect(byN8n.isOpen).toBe(false);
		const byPerson = await tryToPrint(byN8n.store, '2', { printed: false });
		expect([byPerson.earlier, byPerson.isOpen]).toEqual([[], true]);
	});

	test('stays known until it is sent again, because it may be printed late', async () => {
		const { store } = await lose();
		const retried = await tryToPrint(store, '2', { printed: false });
		const again = await tryToPrint(retried.store, '3', { printed: true });
		expect(again.earlier).toEqual([['Lost', 'unknown']]);
	});

	test('is not known any more once its label was sent to another printer', async () => {
		const { store } = await lose();
		const retried = await tryToPrint(store, '2', { printed: false, printers: ['A4'] });
		const again = await tryToPrint(retried.store, '3', { printed: true });
		expect(again.earlier).toEqual([['A4', 'done']]);
	});
});

test('a label of a lost job is open for a person although another one of the job was printed since', async () => {
	const { client } = clientOf(({ path, body = '{}' }) => {
		if (path.includes('/Detail')) {
			const id = Number(/(\d+)\/Detail|Detail\/(\d+)|\/(\d+)/.exec(path)?.slice(1).find(Boolean));
			return responseOf(200, { result: [{ id, printed: id === 1 && wasPrinted }] });
		}
		const { printerName } = JSON.parse(body) as IDataObject;
		return printerName === 'Lost' ? responseOf(500, '') : responseOf(200, { result: true });
	});
	let wasPrinted = false;
	const store: IDataObject = {};
	const open = async (execution: string) => {
		const context = Object.assign(contextOf(store, { execution }), { continueOnFail: () => true });
		return await openPrinting({ context, client, items: [] } as NodeRun);
	};
	const both = [1, 2].map((id) => ({ id, carrierCode: 'ANT', items: [0] }));
	await (await open('1')).send([{ ...job, targets: both }]);
	await (await open('2')).send([{ ...job, printerName: 'A4' }]);
	wasPrinted = true;
	const { mayPrint } = await open('3');
	expect([mayPrint({ id: 1 }), mayPrint({ id: 2 })]).toEqual([false, true]);
});

test('a lost print job of which no detail says whether the label was printed is never sent again', async () => {
	const { store } = await tryToPrint({}, '1', { printed: undefined, printers: ['Lost'] });
	const retried = await tryToPrint(store, '2', { printed: undefined });
	expect([retried.earlier, retried.isOpen]).toEqual([[['Lost', 'unknown']], false]);
});

test('a label that was printed is not open any more, whatever the hash and printer of the next job', async () => {
	const { store } = await tryToPrint({}, '1', { printed: false, printers: ['A4'] });
	const retried = await tryToPrint(store, '2', { printed: false });
	expect([retried.earlier, retried.isOpen]).toEqual([[['A4', 'done']], false]);
});

test('the errors of two lost jobs with hashes alone can be told apart', async () => {
	const { client } = clientOf(() => responseOf(500, ''));
	const context = Object.assign(contextOf({}), { continueOnFail: () => true });
	const { send } = await openPrinting({ context, client, items: [] } as NodeRun);
	const sent = await send(
		['h1', 'h2'].map((hash) => ({ printerName: 'Lost', hash, targets: [{ hash, items: [] }] })),
	);
	const messages = sent.map(({ outcome }) =>
		'errors' in outcome ? describeError(outcome.errors[0]).message : '',
	);
	expect(messages).toEqual([
		expect.stringMatching(/^The labels with hash h1 may or may not have been printed on "Lost"/),
		expect.stringMatching(/^The labels with hash h2 may or may not have been printed on "Lost"/),
	]);
});

test('a lost print job whose record cannot be read now says what a retry does', async () => {
	const { client } = clientOf(() => responseOf(500, ''));
	const context = Object.assign(contextOf({}), { continueOnFail: () => true });
	const { send } = await openPrinting({ context, client, items: [] } as NodeRun);
	const [sent] = await send([job]);
	const outcome = sent?.outcome;
	const { description } = describeError(outcome && 'errors' in outcome && outcome.errors[0]);
	expect(description).toContain(
		'A retry of this execution prints them only if their records then say that they',
	);
});

test.each([
	['License expired', 'Could not send the labels'],
	['Hash expired', 'The print hash has expired'],
])('%s is not always about the hash', async (message, text) => {
	const { client } = clientOf(() => responseOf(400, { message }));
	const context = Object.assign(contextOf({}), { continueOnFail: () => true });
	const { send } = await openPrinting({ context, client, items: [] } as NodeRun);
	const [sent] = await send([job]);
	const outcome = sent?.outcome;
	expect(describeError(outcome && 'errors' in outcome && outcome.errors[0]).message).toContain(
		text,
	);
});
