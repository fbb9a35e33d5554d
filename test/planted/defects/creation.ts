import { defectsIn } from '../defect';

export const creationDefects = [
	...defectsIn('nodes/ParcelShipping/creation/', {
		'print.ts': {
			'The hash of a batch prints only batches of which every label is wanted.': {
				find: 'group.length === piece.batch?.packagesCount &&',
			},
			'A label that was printed before is not printed again.': {
				find: 'if (printed) return PRINTED_BEFORE;',
				replace: 'if (printed) return undefined;',
			},
			'The label of a canceled shipment is not printed.': {
				find: 'if (isCanceled) return CANCELED;',
			},
			'Another process prints what it has created.': {
				find: "if (piece.via === 'otherProcess') return true;",
			},
		},
		'rows.ts': {
			'Rows belong to orders by order number.': {
				find: 'groupBy(distinct, (row) => String(row.packageNumberCustom || ofNone))',
				replace:
					'groupBy(distinct, (row) => String(orders[rows.indexOf(row)]?.body.packageNumberCustom))',
			},
			'Created rows that belong to no order are named.': {
				find: 'if (unassigned.length > 0 ||',
				replace: 'if (unassigned.length < 0 ||',
				engine: 'creationResponses',
			},
			'A row without an ID proves nothing.': {
				find: 'isWhole && created.every((row) => idOf(row) > 0);',
				replace: 'isWhole;',
			},
		},
		'lookUp.ts': {
			'What another carrier has is not reported as created.': {
				find: 'isSameCode(carrierCode, target.carrierCode) &&',
			},
			'What n8n tries again is not sent again.': {
				find: 'if (isMissing && !isRetriedByPerson) {',
				replace: 'if (isMissing && mayBe && !isRetriedByPerson) {',
				engine: 'sentBefore',
			},
			'A shipment of another process is not taken for that of a row.': {
				find: '(mayBe.length === 0 ||',
				replace: '(mayBe.length >= 0 ||',
				engine: 'sentBefore',
			},
			'A row without an ID is found by its tracking number.': {
				find: 'numbers.includes(number)',
				replace: 'numbers.length < 0',
				engine: 'sentBefore',
			},
			'A person who retries does not send again what may exist.': {
				find: '(mayBe || problem !== undefined)',
				replace: 'problem !== undefined',
				engine: 'sentBefore',
			},
			'An order that comes twice within a moment is not sent twice, although its first response was lost.':
				{
					find: 'lately && lately.id === undefined && !isRetriedByPerson',
					replace: 'lately && lately.id === 0 && !isRetriedByPerson',
					engine: 'sentBefore',
				},
			'What the list does not show yet is found.': {
				find: '[...ofOrder, { ...main, pieces }]',
				replace: 'ofOrder',
			},
			'What neither a list nor a detail shows yet is not sent again.': {
				find: 'problem: problem ?? unknownError({ order, mayBe })',
				replace: 'problem',
				engine: 'sentBefore',
			},
			'A retry does not return a shipment that was canceled since.': {
				find: 'if (own.length > 0 && !listed)',
				replace: 'if (own.length < 0 && !listed)',
			},
			'What the execution has created is no error.': {
				find: "(ifShipped === 'fail' && existed) ||",
				replace: "ifShipped === 'fail' ||",
			},
			'A corrected order is not output with the shipment of the earlier values.': {
				find: 'isDifferent && (existed || notes.isCorrected(order)));',
				replace: 'isDifferent && existed);',
				engine: 'retriedRuns',
			},
			'An order whose records could not be read is not sent.': {
				find: '} else if (problem !== undefined) {',
				replace: '} else if (problem === 0) {',
			},
		},
		'create.ts': {
			'An order that must not exist keeps the others from being sent, unless the node continues.': {
				find: '(invalid.size > 0 || hasError) &&',
				replace: 'invalid.size > 0 &&',
				engine: 'sentBefore',
			},
			'An order that the provider refuses because it exists gets its shipment.': {
				find: 'if (duplicates.length === 0) return [...refused];',
				replace: 'if (duplicates.length >= 0) return [...refused];',
			},
			'An order whose request took as long as the memory is not sent by the next execution.': {
				find: 'noting.sending();\n',
				engine: 'sentBefore',
			},
			'What is refused for certain may be sent again.': {
				find: 'notes.forget([order]);',
			},
		},
		'createAndPrint.ts': {
			'Label files without a shipment number do not overwrite each other in a folder.': {
				find: 'String(packageNumberCarrier || id)',
				replace: 'String(packageNumberCarrier)',
				engine: 'creationOptions',
			},
			'An order number that is made of the time is that of the first try.': {
				find: 'referenceOf(sent?.target ?? order)',
				replace: 'referenceOf(order)',
				engine: 'retriedRuns',
			},
			'Another execution with the same order waits, and finds its shipment.': {
				find: 'await withLock(locks, async () => {',
				replace: 'await withLock([], async () => {',
			},
		},
		'duplicates.ts': {
			'Of two processes, the one that came second cancels its shipment.': {
				find: 'others.filter(({ id }) => id < ownId)',
				replace: 'others.filter(({ id }) => id > ownId)',
			},
			'No shipment of an exchange is canceled.': {
				find: '\t\t!isExchange(order) &&\n',
			},
			'A retry days later does not cancel what somebody has wanted since.': {
				find: '!isExchange(order) &&\n\t\t!notes.isOfEarlierExecution(order);',
				replace: '!isExchange(order);',
				engine: 'sentBefore',
			},
			'A piece that the response has left out is not taken for a duplicate.': {
				find: 'const isUnclear = countMissing(order, shipment) > 0 ||',
				replace: 'const isUnclear =',
			},
			'After a lost response, one shipment at the carrier stays.': {
				find: 'later.filter(isAtCarrier).reverse();',
				replace: '[];',
			},
			'An order whose shipments could not be read again says so.': {
				find: 'problem === undefined ? checked.shipment : withNotRead(checked.shipment, problem);',
				replace: 'checked.shipment;',
				engine: 'sentBefore',
			},
		},
		'messages.ts': {
			'Of several errors of a run, each names the second shipment of its order.': {
				find: 'const others = duplicates?.named.map(',
				replace: 'const others = duplicates?.named.slice(0, 0).map(',
			},
		},
		'output.ts': {
			'If the run ends with an error, its message names every shipment that exists.': {
				find: '[{ id, carrierCode, packageNumberCarrier }, ...others].map',
				replace: 'others.map',
			},
			'Of two shipments that could not be canceled, only the second one is called a duplicate.': {
				find: 'notCanceled !== undefined && id < mainPieceIdOf(shipment)',
				replace: 'notCanceled !== undefined',
			},
			'Each piece of a shipment is collected once.': {
				find: 'codPrice: body.cod && index === 0',
				replace: 'codPrice: body.cod',
			},
			'The output names the second shipment of an order that was canceled.': {
				find: '...(canceled ? { canceledDuplicate: canceled } : {}),',
			},
		},
		'hints.ts': {
			'A hint counts only what this execution has created.': {
				find: '[created.length - before.length,',
				replace: '[created.length,',
			},
		},
	}),
	...defectsIn('nodes/ParcelShipping/writes/', {
		'sent.ts': {
			'The tries of a loop are kept apart.': {
				find: 'const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);',
				replace: "const runIndex = '';",
			},
			'What an earlier execution may have done is known although what this one sends is refused.': {
				find: 'if (before) this.notes[key] = before;',
				replace: 'if (!before) this.notes = {};',
			},
		},
		'sendOnce.ts': {
			'A request is noted before it is sent.': {
				find: '	noting.sending();\n	try {\n		return { response: await send(client as unknown as UnsafeCalls) };',
				replace:
					'	try {\n		const response = await send(client as unknown as UnsafeCalls);\n		noting.sending();\n		return { response };',
			},
			'A request that may have been carried out is not forgotten.': {
				find: 'if (mayHaveActed(thrown)) return',
				replace: 'if (!thrown) return',
			},
			'The records are read again, because a provider may finish a request late.': {
				find: 'if (isSettled || leftMs <= 0',
				replace: 'if (isSettled || leftMs <= maxWaitMs',
			},
		},
	}),
	...defectsIn('nodes/ParcelShipping/labels/', {
		'labels.ts': {
			'A label whose request was lost is known to have been requested.': {
				find: 'for (const id of newIds) requested[id] = true;',
			},
			'A shipment that the provider refuses fails alone.': {
				find: 'new SplitBudget()',
				replace: 'new SplitBudget(() => false)',
			},
		},
		'print.ts': {
			'Labels that the provider has not created are not counted as printed.': {
				find: 'ids.slice(Number(output.labelsMissing ?? 0))',
				replace: 'ids.slice(0)',
			},
			'A retry prints what the printer has refused, although the provider counts it as printed.': {
				find: 'for (const id of job.ids) requested[id] = true;',
				engine: 'retriedRuns',
			},
			'A print job is noted before it is sent.': {
				find: '\t\t\tsentJobs(context)[hash] = job;\n',
			},
			'A retry prints what the printer has refused.': {
				find: 'delete sentJobs(context)[hash];',
			},
			'A printer that does not accept the labels is reported.': {
				find: '\t\tnoting.forget();\n',
			},
			'Of several files for one label, none is printed without a word.': {
				find: 'if (!hash || others.length > 0)',
				replace: 'if (!hash)',
			},
		},
		'select.ts': {
			'If the record of a shipment cannot be read, All Not Printed does not print its label.': {
				find: 'byId.set(piece.id, { ...piece, printed: undefined });',
				replace: 'byId.delete(piece.id);',
			},
			'*All Not Printed* prints nothing that was printed before.': {
				find: '!(isAll || skipsPrinted)',
				replace: '!skipsPrinted',
			},
			'A label of which nothing says whether it was printed is named.': {
				find: 'if (unknown.length > 0) {',
				replace: 'if (unknown.length < 0) {',
			},
			'A canceled piece of a chosen shipment has no label.': {
				find: 'if (!isCanceled) ids.add(id);',
				replace: 'ids.add(id);',
			},
			'Pieces of a chosen shipment that the provider does not show are named.': {
				find: 'for (const each of missingPieces({ id: mainId, reference }, shown, count)) incomplete.add(each);',
			},
		},
	}),
	...defectsIn('nodes/ParcelShipping/transport/', {
		'memory.ts': {
			'What was sent an hour ago does not keep an order from being sent.': {
				find: '(5 * 60_000, 10_000)',
				replace: '(500 * 60_000, 10_000)',
			},
		},
		'shipments.ts': {
			'An order is not sent while a shipment may be its own.': {
				find: 'if (pieces.length === 0 && mayLive) throw noDetailError(main);',
			},
			'Pieces belong together as the details say.': {
				find: 'const mustRead = ids.length > 1 && unplaced.length > 0 && !isOneShipment;',
				replace: 'const mustRead = ids.length < 0 && unplaced.length > 0 && !isOneShipment;',
			},
			'The pieces of a main shipment without a detail are not given to another one.': {
				find: 'if (together.length === 0 && isMain(piece)) throw noDetailError(piece);',
			},
			'A detail that cannot be read fails only its own order.': {
				find: 'this.failed.set(group[0].reference, failure);\n\t\t\t\treturn [];',
				replace: 'throw failure;',
			},
			'The look after a creation finds what another process has created before.': {
				find: 'page.every(({ id }) => before?.has(id));',
				replace: 'page.length > 0;',
			},
			'The look after a creation reads on until it has what was created.': {
				find: 'ids.has(id) && !before?.has(id)',
				replace: '!before?.has(id)',
			},
			'In a retry, the look after a creation reads everything.': {
				find: 'ids.has(id) && !before?.has(id)',
				replace: 'ids.has(id)',
			},
			'A list without order numbers is completed by the details.': {
				find: 'records.length === 0 || records.some(',
				replace: 'records.length >= 0 || records.some(',
			},
			'IDs that a list writes as text are numbers.': {
				find: 'id: Number(record.id),',
				replace: 'id: record.id as number,',
			},
			'The pieces of a canceled shipment are not those of an active one.': {
				find: 'JSON.stringify([code, reference, isCanceled]),',
				replace: 'JSON.stringify([code, reference]),',
			},
		},
	}),
];
