import type { IDataObject } from 'n8n-workflow';

import type { Run } from './n8n';
import { itemsOf, linksOf } from './outputs';
import { rulesOf } from './simulation';

// What the hints of a run count, compared with its output and with what was printed.

const fail = rulesOf({ count: 'a hint counts what the output has' });

/**
 * `printed` are the shipments whose labels the run has printed; undefined if nobody can know all of them. The second
 * shipment of an exchange is no hint.
 */
export function checkHints(
	run: Run,
	printed: ReadonlySet<number> | undefined,
	isExchange: boolean,
): void {
	const { hints = [], error } = run.result ?? {};
	/** The number at the first match. The words are one of the hints. */
	const stated = (words: RegExp): number => {
		const [, count = 0] = hints.map((hint) => words.exec(hint)).find((found) => found) ?? [];
		return Number(count);
	};
	const compare = (what: string, said: number, expected: number) => {
		if (said !== expected)
			fail.count(`${run.name} says ${said} and not ${expected} ${what}: ${hints.join(' ')}`);
	};
	// The last try may have failed before it says what the others have done.
	if (error) return;

	// Also pieces without an ID.
	const rows = (run.result?.items ?? [])
		.map(({ json }) => json)
		.filter(({ error }) => error === undefined);
	// A label of an earlier try is not counted if the last one could not read its shipment.
	if (printed) {
		const ofRows = rows.filter(({ id }) => printed.has(Number(id))).length;
		compare('labels printed', stated(/(\d+) labels? printed on/), ofRows);
	}
	const shipmentsWhere = (test: (json: IDataObject) => unknown) =>
		new Set(rows.filter(test).map((json) => json.packageNumberCustom)).size;
	compare(
		'created',
		stated(/^(\d+) shipments? created(?! before)/) +
			stated(/(\d+) (?:shipments? )?created before the retry/),
		shipmentsWhere((json) => !json.alreadyExisted),
	);
	compare(
		'that existed',
		stated(/(\d+) (?:shipments? )?already existed/),
		shipmentsWhere((json) => json.alreadyExisted && !json.canceledDuplicate),
	);
	compare(
		'that differ',
		stated(/^(\d+) existing shipments? differs?/),
		shipmentsWhere((json) => json.differences),
	);
	compare(
		'created twice',
		stated(/^(\d+) orders? (?:was|were) created twice/),
		shipmentsWhere((json) => json.canceledDuplicate),
	);
	compare(
		'with several shipments',
		stated(/^(\d+) orders? (?:has|have) more than one shipment/),
		shipmentsWhere((json) => !isExchange && (json.duplicates ?? json.duplicateOf)),
	);
	const failed = itemsOf(run).filter(
		({ json }) =>
			json.error !== undefined &&
			(json.details as IDataObject | undefined)?.labelNotPrinted === undefined,
	);
	compare(
		'failed',
		stated(/^(\d+) items? failed/),
		new Set(failed.flatMap((item) => linksOf(item))).size,
	);
	const notPrinted = hints.map((hint) =>
		Number(/^(\d+) labels? (?:was|were) /.exec(hint)?.[1] ?? 0),
	);
	compare(
		'labels not printed',
		notPrinted.reduce((sum, count) => sum + count, 0),
		rows.filter(({ labelNotPrinted }) => labelNotPrinted).length,
	);
}
