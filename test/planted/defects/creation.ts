import { defectsIn } from '../defect';

export const creationDefects = [
	...defectsIn('nodes/ParcelShipping/creation/', {
		'readOffers.ts': {
			'An order is not refused because a service writes CZE or the names of countries.': {
				find: 'findCountryCode(String(each))',
				replace: 'String(each).toUpperCase()',
			},
		},
		'createAndPrint.ts': {
			'Another execution with the same order waits, and finds its shipment.': {
				find: 'await withLock(locks, async () => {',
				replace: 'await withLock([], async () => {',
			},
		},
		'fieldsInReasons.ts': {
			'A word in a reason does not count as a field of the same name.': {
				find: '(?<=^|; |\\d: )[a-z]+\\b',
				replace: '\\b[a-z]+\\b',
			},
		},
		'duplicates.ts': {
			'A shipment of which the service does not say the order may be a duplicate.': {
				find: 'find(({ id }) => !ownIds.has(id))',
				replace: 'find(({ id }) => ownIds.has(id) && false)',
			},
		},
		'messages.ts': {
			'Of several errors of a run, each names the second shipment of its order.': {
				find: "describeDifference).join(', ')}${nameOthers(order, shipment)}",
				replace: "describeDifference).join(', ')}",
			},
			'Of several orders that exist, each error names the second shipment.': {
				find: "(ID ${ids.join(', ')})${nameOthers(order, shipment)}`,",
				replace: "(ID ${ids.join(', ')})`,",
			},
		},
		'output.ts': {
			'The output names the second shipment of an order that was canceled.': {
				find: '...(canceled ? { canceledDuplicate: canceled } : {}),',
				replace: '',
			},
			'A shipment of another run that stays counts as existing.': {
				find: "via === 'existing' || via === 'otherProcess'",
				replace: "via === 'existing'",
			},
		},
		'shipments.ts': {
			'Of two shipments that could not be canceled, only the second one is called a duplicate.': {
				find: 'duplicates.named.find(({ id }) => id < mainPieceIdOf(shipment))',
				replace: 'duplicates.named[0]',
			},
		},
		'hints.ts': {
			'A hint counts only what this execution has created.': {
				find: 'describeDone(created.length - ofEarlierExecution.length, printedOn),',
				replace: 'describeDone(created.length, printedOn),',
			},
			'A hint counts the orders that another run has created as well.': {
				find: 'const canceled = all.filter(({ duplicates }) => duplicates?.canceled);',
				replace:
					'const canceled = all.filter(({ duplicates, ...each }) => isCreated(each) && duplicates?.canceled);',
			},
		},
		'runError.ts': {
			'The error of a run has no empty shipment numbers.': {
				find: "each.packageNumberCarrier ? ` ${String(each.packageNumberCarrier)}` : '';",
				replace: '` ${String(each.packageNumberCarrier)}`;',
			},
			'If the run ends with an error, its message names every shipment that exists.': {
				find: 'return [own, ...others.filter',
				replace: 'return [...others.filter',
			},
		},
		'printResults.ts': {
			'Labels that the service has not created are not counted as printed.': {
				find: 'job.slice(job[0].labelsMissing ?? 0)',
				replace: 'job.slice(0)',
			},
		},
	}),
	...defectsIn('nodes/ParcelShipping/writes/', {
		'lock.ts': {
			'A third execution waits for the second one, not only for the first.': {
				find: 'if (held.get(key) === released) held.delete(key);',
				replace: 'held.delete(key);',
			},
		},
		'journal.ts': {
			'The shipment of an order of an earlier request is not that of an order of a later one.': {
				find: 'execution };\n\t\tthis.noteIds(value);',
				replace: 'execution };',
			},
			'The shipment of an order of an earlier try is not that of an order of a later one.': {
				find: 'for (const { outcome } of this.doneOutcomes) this.noteIds(outcome.value);',
				replace: '',
			},
			'A request is in the journal before it is sent.': {
				find: 'this.entries.pending.push(pending);',
				replace: '',
			},
			'What is unknown is not sent again when n8n tries again.': {
				find: "({ outcome: { state } }) => state === 'unknown' || state === 'unmatched',",
				replace: "({ outcome: { state } }) => state === 'unmatched',",
			},
			'An order that may have an unmatched shipment is not sent again when n8n tries again.': {
				find: "({ outcome: { state } }) => state === 'unknown' || state === 'unmatched',",
				replace: "({ outcome: { state } }) => state === 'unknown',",
			},
			'A person who retries can send what certainly does not exist.': {
				find: 'return execution !== this.execution;',
				replace: 'return execution === this.execution;',
			},
		},
		'writeOnce.ts': {
			'After a retry by a person, an order that may exist is not sent again.': {
				find: '!targets.some((target) => unmatched.includes(target))',
				replace: 'unmatched.length >= 0',
			},
			'What a person may send again, and has not sent, stays in the journal.': {
				find: 'journal.settle(pending, own);',
				replace:
					"journal.settle(pending, isOfEarlierExecution ? own.filter(({ outcome }) => outcome.state === 'done') : own);",
			},
			'A person whose records cannot be read does not send an order again.': {
				find: 'const isSearched = searches > 0 || !write.find;',
				replace: 'const isSearched = searches >= 0;',
			},
			'A request that may have been carried out is not sent again.': {
				find: 'if (!mayHaveActed(thrown)) {',
				replace: 'if (thrown) {',
			},
			'The records are read again while they may still show more.': {
				find: 'if (verdict.toSearch.length === 0 || leftMs <= 0 || client.isStopped) break;',
				replace: 'break;',
			},
		},
	}),
	...defectsIn('nodes/ParcelShipping/labels/', {
		'files.ts': {
			'Label files without a shipment number do not overwrite each other in a folder.': {
				find: 'packageNumberCarrier || id]',
				replace: 'packageNumberCarrier]',
			},
		},
		'printJob.ts': {
			'Labels that were created are named if the service limits the rate of print jobs.': {
				find: 'return isHash ? {} : {',
				replace: 'return facts ? {} : {',
			},
			'The errors of print jobs with a hash alone can be told apart.': {
				find: 'return `The labels with hash ${job.hash}`;',
				replace: "return 'The labels';",
			},
			'A label that was sent is not sent again with another hash.': {
				find: "'id' in target ? String(target.id)",
				replace: "'id' in target ? JSON.stringify(target)",
			},
		},
		'print.ts': {
			'A label of a lost job can be printed by a retry although another label of the job was printed since.':
				{
					find: '.filter((target) => !journal.isDone(target));',
					replace: ';',
				},
			'A print job whose response is lost does not print again when a person retries.': {
				find: "{ state: 'unknown', errors, isRepeatable }",
				replace: "{ state: 'unknown', errors, isRepeatable: true }",
			},
			'A service that does not say what was printed does not count as one that has not printed.': {
				find: 'records.every(({ printed }) => printed === false);',
				replace: 'records.every(({ printed }) => !printed);',
			},
			'A printer that does not accept the labels is reported.': {
				find: 'if (printed) {',
				replace: 'if (response) {',
			},
			'A lost print job that a person may repeat, and has not repeated, stays in the journal.': {
				find: 'const { outcomes: earlier, sendable } = await recall(journal, write);',
				replace:
					'const { outcomes: earlier, sendable } = await recall(journal, write);\n\tfor (const each of journal.pendingRequests) journal.settle(each, []);',
			},
			'A label that was printed is not printed again by a retry.': {
				find: 'mayPrint: (target: PrintKey) => journal.isSendable(target as PrintTarget),',
				replace: 'mayPrint: (target: PrintKey) => journal !== undefined,',
			},
			'What was created is sent, although another label was refused.': {
				find: 'return [...unlabeled, ...(await send(jobs))];',
				replace: 'return [...unlabeled, ...(unlabeled.length > 0 ? [] : await send(jobs))];',
			},
		},
		'createLabels.ts': {
			'A label whose request was lost is known to have been requested.': {
				find: "for (const id of newIds) progress[id] = 'requested';",
				replace: '',
			},
			'A label whose request certainly did nothing does not count as requested.': {
				find: 'if (!mayHaveActed(thrown)) for (const id of newIds) delete progress[id];',
				replace: '',
			},
			'A part of a request without any label does not keep the others from being printed.': {
				find: 'failure instanceof ItemError || (isRefusal(failure)',
				replace: '(isRefusal(failure)',
			},
			'A shipment that the service refuses fails alone.': {
				find: 'new SplitBudget()',
				replace: 'new SplitBudget(() => false)',
			},
			'Shipments of a carrier that are refused do not keep those of another from their labels.': {
				find: '(id) => carrierOf.get(id)?.toUpperCase()',
				replace: '(id) => id > 0',
			},
		},
		'notPrinted.ts': {
			'An additional piece that only the list shows as printed is not printed again.': {
				find: 'inDetail(id) ?? (listed.has(id) ? true : undefined);',
				replace: 'inDetail(id);',
			},
			'A list that cannot be read keeps no label from being printed.': {
				find: 'await listPieces(client, filter).catch(() => []);',
				replace: 'await listPieces(client, filter);',
			},
			'A list that is behind does not say that a label was not printed.': {
				find: '(listed.has(id) ? true : undefined);',
				replace: 'listed.has(id);',
			},
			'A retry prints a label that only an earlier try has created.': {
				find: '(progress[id] ? false : printed);',
				replace: '(progress ? printed : false);',
			},
			'The list that says what was printed is read once for all items.': {
				find: 'lists.set(carrierCode, list);',
				replace: '',
			},
			'If the record of a shipment cannot be read, All Not Printed does not print its label.': {
				find: "if (unread.has(id)) return 'unclear';",
				replace: '',
			},
			'A piece that the list shows as canceled is not printed, although its detail does not say it.':
				{
					find: 'known ? withNewer(known, piece) : piece',
					replace: 'piece',
				},
		},
		'select.ts': {
			'Pieces whose IDs the item names do not count as missing.': {
				find: 'Math.max(pieces.length, shipmentIds.length);',
				replace: 'pieces.length;',
			},
			'Pieces of a chosen shipment that the service does not show are named.': {
				find: 'incomplete: describeMissingPieces(mainId, shown, count) };',
				replace: 'incomplete: [] };',
			},
		},
		'createJobs.ts': {
			'Several files for one label are one problem.': {
				find: 'return { jobs, unlabeled: [...byKey.values()] };',
				replace: 'return { jobs, unlabeled };',
			},
			'Labels that may be those of the same shipments are printed one by one.': {
				find: 'each.isShared && each.ids.length > 1;',
				replace: 'each.isShared && each.ids.length < 1;',
			},
			'Of several files for one label, none is printed without a word.': {
				find: 'if (hash && !isShared) {',
				replace: 'if (hash) {',
			},
			'A print job knows the items of its labels.': {
				find: 'items: wanted.map(({ item }) => item) };',
				replace: 'items: [] };',
			},
		},
	}),
	...defectsIn('nodes/ParcelShipping/transport/', {}),
];
