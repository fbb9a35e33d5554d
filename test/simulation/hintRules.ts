import type { IDataObject } from 'n8n-workflow';

import { itemsOf, linksOf } from './outputs';
import { type Run, rulesOf } from './simulation';

// What the hints of a run count, compared with its output and with what was printed.

const fail = rulesOf({ count: 'a hint counts what the output has' });

/** The number in each hint, and the output items whose orders it counts. The second shipment of an exchange is no hint. */
const COUNTED: ReadonlyArray<[RegExp, (json: IDataObject, isExchange: boolean) => unknown]> = [
	[
		/^(\d+) shipments? created(?! before)|(\d+) (?:shipments? )?created before the retry/g,
		(json) => !json.alreadyExisted,
	],
	[
		/(\d+) (?:shipments? )?already existed/g,
		(json) => json.alreadyExisted && !json.canceledDuplicate,
	],
	[/^(\d+) existing shipments? differs?/g, (json) => json.differences],
	[/^(\d+) orders? (?:was|were) created twice/g, (json) => json.canceledDuplicate],
	[
		/^(\d+) orders? (?:has|have) more than one shipment/g,
		(json, isExchange) => !isExchange && (json.duplicates ?? json.duplicateOf),
	],
];

/** `printed` are the shipments whose labels the run has printed; undefined if nobody can know all of them. */
export function checkHints(
	run: Run,
	printed: ReadonlySet<number> | undefined,
	isExchange: boolean,
): void {
	const { hints = [], error } = run.result ?? {};
	// The last try may have failed before it says what the others have done.
	if (error) return;
	const compare = (words: RegExp, expected: number, most = expected) => {
		const found = hints.flatMap((hint) => [...hint.matchAll(words)]);
		const said = found.reduce((sum, [, count, other]) => sum + Number(count ?? other), 0);
		if (said < expected || said > most)
			fail.count(`${run.name} says ${said} and not ${expected} (${words}): ${hints.join(' ')}`);
	};
	// Also pieces without an ID.
	const rows = itemsOf(run)
		.filter(({ json }) => json.error === undefined)
		.map(({ json }) => json);
	for (const [words, isCounted] of COUNTED) {
		const counted = rows.filter((json) => isCounted(json, isExchange));
		compare(words, new Set(counted.map((json) => json.packageNumberCustom)).size);
	}
	// The last try may be unable to read a shipment whose label an earlier one has printed.
	const ofRows = rows.filter(({ id }) => printed?.has(Number(id))).length;
	if (printed) compare(/(\d+) labels? printed on/g, ofRows, printed.size);
	const notPrinted = rows.filter(({ labelNotPrinted }) => labelNotPrinted).length;
	compare(/^(\d+) labels? (?:was|were) /g, notPrinted);
	const failed = itemsOf(run).filter(
		({ json: { error: problem, details } }) =>
			problem !== undefined && !(details as IDataObject | undefined)?.labelNotPrinted,
	);
	compare(/^(\d+) items? failed/g, new Set(failed.flatMap(linksOf)).size);
}
