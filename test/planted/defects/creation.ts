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
			'Who makes an order invalid whose outcome is unknown, and retries, is told both.': {
				find: 'new Set(itemsOf(journal.notSendableTargets));',
				replace: 'sentItems;',
			},
			'Another execution with the same order waits, and finds its shipment.': {
				find: 'await withLock(locks, async () => {',
				replace: 'await withLock([], async () => {',
			},
		},
		'createShipments.ts': {
			'A piece whose row has no reference is output once as soon as the records show of which order it is.':
				{
					find: "if (outcome.state !== 'unmatched') return true;",
					replace: 'if (outcome.state) return true;',
				},
			'Shipments of an earlier try are checked for duplicates as well.': {
				find: '...(await checkDuplicates([...others, ...fromLookUp, ...fromSending], run)),',
				replace: '...others,\n...fromLookUp,\n...(await checkDuplicates(fromSending, run)),',
			},
			'What an earlier try has created is not created again.': {
				find: '.filter((item) => !items.has(item))',
				replace: '',
			},
			'What an earlier try has created for several items is not created again for one of them.': {
				find: '.filter((item) => !items.has(item))',
				replace: '.filter(() => !items.has(order.itemIndex))',
			},
			'A retry days later does not cancel what somebody has wanted since.': {
				find: "outcome.state === 'done' && journal.isTargetOfEarlierExecution(order);",
				replace: "outcome.state === 'unmatched' && journal.isTargetOfEarlierExecution(order);",
			},
			'An order that turns out not to exist in a retry is sent, and has one outcome.': {
				find: 'const left = withoutItems(targets, replaced);',
				replace: 'const left = withoutItems(targets, new Set());',
			},
			'An order that a retry may send again, and does not send, is still named.': {
				find: '...withoutReplaced(sendable, [',
				replace: '...withoutReplaced(sendable.slice(0, 0), [',
			},
		},
		'refusedAsExisting.ts': {
			'An order that the service refuses because it exists gets its shipment.': {
				find: 'if (refused.length === 0) return outcomes;',
				replace: 'if (refused.length >= 0) return outcomes;',
			},
			'The other orders of a refused request are created.': {
				find: 'await sendAgain(rest.flatMap(({ targets }) => targets))',
				replace: '[]',
			},
		},
		'cancelDuplicates.ts': {
			'Nothing counts as canceled that has no number of the carrier.': {
				find: "if (targets.some(({ pieces }) => pieces.some(({ number }) => number === '')))",
				replace: 'if (targets.length === 0)',
			},
		},
		'attachLabels.ts': {
			'No file is created of a label that is still to be printed.': {
				find: 'if (all.some(isToPrint)) {',
				replace: 'if (all.length === 0) {',
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
			'What was read back with other values names its differences.': {
				find: 'listed && !isFromResponse(shipment)\n\t\t\t?',
				replace: 'listed && shipment.pieces.length < 0\n\t\t\t?',
			},
			'A duplicate of which the response lacks a piece is canceled once the list shows the piece.':
				{
					find: 'decide(order, shipment, listed, ofOrder)',
					replace: 'decide(order, created, listed, ofOrder)',
				},
			'After a lost response, the shipment of another process at another carrier is not output as created.':
				{
					find: '!isFromResponse(shipment) && isSameCode(lowest',
					replace: '!isFromResponse(shipment) || isSameCode(lowest',
				},
			'A piece that the list shows only in a retry is output then.': {
				find: 'const shipment = withMissingPieces(order, created, listed);',
				replace: 'const shipment = created;',
			},
			'A piece that the response has left out is not taken for a duplicate.': {
				find: 'isExchange(order) || countMissing(order, shipment) > 0 ||',
				replace: 'isExchange(order) ||',
			},
			'Nothing is canceled if more pieces than ordered may be those of several shipments.': {
				find: 'countMissing(order, shipment) > 0 || hasMore;',
				replace: 'countMissing(order, shipment) > 0;',
			},
			'Of two shipments of one order, one lives.': {
				find: 'isNonEmpty(surplus) ?',
				replace: 'isNonEmpty(surplus.slice(0, 0)) ?',
			},
			'The second shipment of an exchange is not canceled as a duplicate.': {
				find: 'isExchange(order) || countMissing(order, shipment) > 0 ||',
				replace: 'countMissing(order, shipment) > 0 ||',
			},
			'A shipment that was read back and is not listed any more does not make another one a duplicate.':
				{
					find: 'mayBeWanted || !(isFromResponse(shipment) || listed)',
					replace: 'mayBeWanted',
				},
			'After a lost response, the second shipment of the order is canceled as well.': {
				find: '({ carrierCode }) => isSameCode(carrierCode, order.carrierCode)',
				replace: '(each) => each === own && isSameCode(each.carrierCode, order.carrierCode)',
			},
			'The shipment with the lowest ID stays, so that two processes do not cancel both.': {
				find: '[...others, own].sort(lowestFirst)',
				replace: '[...others, own].sort((a, b) => b.id - a.id)',
			},
			'Who created the shipment that stays prints it, and nobody else.': {
				find: "mayBeOwn ? 'records' : 'otherProcess'",
				replace: "mayBeOwn ? 'records' : 'existing'",
			},
			'A duplicate that could not be canceled is named.': {
				find: 'withNamed(confirmed, named, { notCanceled })',
				replace: 'withNamed(confirmed, [])',
			},
			'A canceled shipment does not count as a duplicate.': {
				find: 'const others = ofOrder\n\t\t.filter(isLiving)',
				replace: 'const others = ofOrder',
			},
		},
		'confirmEarlier.ts': {
			'Who corrects an order and retries is told how its shipment differs.': {
				find: 'const mustCompare = isCorrected ||',
				replace: 'const mustCompare =',
			},
			'The settings for existing shipments count also in the retry of a person.': {
				find: 'return isCreated(value) && !isCorrected',
				replace: 'return isCreated(value)',
			},
			'In a retry, what was read back with other values names its differences.': {
				find: 'isCorrected || !isFromResponse(shipment);',
				replace: 'isCorrected;',
			},
			'A shipment that is too old to be looked up does not count in the retry of a person either.':
				{
					find: 'tryFindByReference(orders, LOOKBACK_DAYS, records)',
					replace: 'tryFindByReference(orders, 365, records)',
				},
			'A retry days later does not output a shipment that somebody has canceled since.': {
				find: 'if (own.length > 0 && !listed)',
				replace: 'if (own.length < 0)',
			},
			'A piece that the list shows only in the retry of a person is output then.': {
				find: 'withNamed(withMissingPieces(order, shipment, listed), others)',
				replace: 'withNamed(shipment, others)',
			},
		},
		'existing.ts': {
			'Nobody is told to cancel what the carrier has.': {
				find: 'canCancel === false ||',
				replace: '',
			},
			'Other living shipments of the order are named.': {
				find: '...(others.length > 0 ? { duplicates: { named: others.map(toDuplicate) } } : {}),',
				replace: '',
			},
			'The pieces that the list does not show are in the output.': {
				find: 'if (isCompared && !mayHaveMorePieces(order, shipment)) return shipment;',
				replace: 'if (isCompared) return shipment;',
			},
		},
		'lookUp.ts': {
			'A canceled shipment does not keep its order from being sent again.': {
				find: 'const living = [...listed, ...unlisted].filter(isLiving);',
				replace: 'const living = [...listed, ...unlisted];',
			},
			'Nothing is sent if the look-up fails.': {
				find: 'return { toSend: [], outcomes: notDone<CreateAct>(orders, thrown) };',
				replace: 'return { toSend: [...orders], outcomes: [] };',
			},
			'An order that comes twice within a moment ships once, although the list is behind.': {
				find: '...unlisted].filter(isLiving)',
				replace: '].filter(isLiving)',
			},
			'A detail that cannot be read keeps no other order from being sent.': {
				find: 'failure = thrown;',
				replace: 'throw thrown;',
			},
			'An order is not sent if the detail of its newest shipment cannot be read.': {
				find: 'if (!lowest && failure !== undefined) return failedOrder(order, failure);',
				replace: '',
			},
			'A shipment is not named as its own duplicate.': {
				find: 'isOfOrder && !isListed ?',
				replace: 'isOfOrder ?',
			},
			'An order is sent although its service has given the ID of its last shipment to another one.':
				{
					find: 'pieces[0] && isOfOrder',
					replace: 'pieces[0]',
				},
			'An order is not sent if a listed shipment may be its own.': {
				find: 'return unread && failedOrder',
				replace: 'return undefined && failedOrder',
			},
		},
		'match.ts': {
			'Refused rows do not hide an order of which the response has a row without an ID.': {
				find: 'withoutReference.length >= missingCount ? withRow : orders',
				replace: 'withoutReference.length >= missingCount ? [] : orders',
			},
			'An order of which the response has a row without an ID is searched for beside refused rows.':
				{
					find: 'refusedCount >= missingCount ? withRow : orders',
					replace: 'refusedCount >= missingCount ? [] : orders',
				},
			'A piece that is only guessed to be of a new shipment is not output as one of it.': {
				find: 'withRow?.isGuessed ? undefined : withRow',
				replace: 'withRow',
			},
			'The shipment of a row without an ID is read back.': {
				find: 'else if (id === 0) (own?.withoutId ?? unmatchedWithoutId).push(row);',
				replace: '',
			},
			'A person who retries does not send again what the response says was created.': {
				find: 'const isRepeatable = withoutId.length === 0;',
				replace: 'const isRepeatable = withoutId.length >= 0;',
			},
			'Each order that a row without an ID may be of is kept from being sent again.': {
				find: 'lacksRow(each) ? { ...each, withoutId: [...each.withoutId, ...unmatched] } : each,',
				replace: 'each,',
			},
			'A row without an ID that may be of the missing piece of a shipment is named.': {
				find: 'lacksRow(each) ? {',
				replace: 'each.created.length === 0 && lacksRow(each) ? {',
			},
			'The shipment of an order that is done is not that of another order.': {
				find: '&& !journal.isDoneId(id)) {',
				replace: ') {',
			},
			'A shipment of which a piece is missing keeps its rows without an ID.': {
				find: '...(withoutId.length > 0 ? { withoutId } : {}),',
				replace: '',
			},
			'A created row without an ID that is one too many is named.': {
				find: 'lacksPiece(each) ? [] : errorsOf([each.order], each.withoutId)',
				replace: '[]',
			},
			'A created row without an ID is named if it may be of no order that lacks a piece.': {
				find: 'evidence.some(lacksRow) ? []',
				replace: 'evidence.some(lacksPiece) ? []',
			},
			'A refused piece beside a row without an ID keeps its error.': {
				find: 'refused.length > 0 ? { refused: refusedRows }',
				replace: 'refused.length > 0 && withoutId.length === 0 ? { refused: refusedRows }',
			},
			'A refusal without a reference that comes twice says nothing about a second order.': {
				find: 'withEachIdOnce(unmatched.filter((row) => !row.packageNumberCustom));',
				replace: 'unmatched.filter((row) => !row.packageNumberCustom);',
			},
			'An order is not refused because a piece is, if another one was created, although its row has no ID.':
				{
					find: 'refused.length > 0 && withoutId.length === 0;',
					replace: 'refused.length > 0;',
				},
			'The error of a refused order names it, although its row does not.': {
				find: '({ ...row, packageNumberCustom: referenceOf(order) });',
				replace: 'row;',
			},
			'Pieces that only the records show do not lack a row.': {
				find: 'missingCount: countMissing(order, value) };',
				replace: 'missingCount: pieceCountOf(order) - created.length };',
			},
			'The row of the only order in a request is of that order, also without a reference.': {
				find: "byReference.set('', only);",
				replace: "byReference.delete('');",
			},
			'A refusal without a reference may be of an order that lacks a piece, so that no other one counts as refused.':
				{
					find: 'refusedCount >= missingCount ?',
					replace: 'refusedCount >= orders.length ?',
				},
			'A row that belongs to no order for certain may belong to one that lacks a piece.': {
				find: 'const lacking = [...withoutEvidence, ...lackingPieces];',
				replace: 'const lacking = withoutEvidence;',
			},
			'A piece that is missing from the response belongs to the shipment of the others.': {
				find: 'pieces.some(({ id }) => rowIds.has(id))',
				replace: 'pieces.length < 0',
			},
			'The label of a piece that the response leaves out is printed once.': {
				find: 'created.length > 0 ? batch : batchOfShipment',
				replace: 'batchOfShipment',
			},
			'A shipment of another process is not taken for that of a row without a reference.': {
				find: 'const isCertain = createdUnmatched.length === 0;',
				replace: 'const isCertain = createdUnmatched.length >= 0;',
			},
			'An order that a row without a reference may be of is not sent again.': {
				find: 'return isNonEmpty(possibleOrders) ? [{ targets: possibleOrders, outcome }] : [];',
				replace: 'return isNonEmpty([] as Order[]) ? [{ targets: [] as never, outcome }] : [];',
			},
			'A row that belongs to no order for certain is linked to each that it may belong to.': {
				find: '(order) => lacking.length === 0 || lackingOrders.includes(order),',
				replace: '(order) => order === request.targets[0],',
			},
			'A shipment that the response lists twice is output once.': {
				find: '!usedIds.has(id) && ',
				replace: '',
			},
			'Two refusals with one ID are two refusals.': {
				find: 'if (isRefused(row)) (own?.refused ?? unmatched).push(row);',
				replace:
					'if (isRefused(row)) {\n\t\t\tif (!usedIds.has(id)) (own?.refused ?? unmatched).push(row);\n\t\t\tusedIds.add(id);\n\t\t}',
			},
			'A record without an order number does not hide that of the row.': {
				find: "pieces.filter(({ reference }) => reference !== '').map",
				replace: 'pieces.map',
			},
		},
		'messages.ts': {
			'The error of an unknown order has the reason of a refused piece, although another piece has no ID.':
				{
					find: '...new Set(refused.map((row) => refusedText(order, row))),',
					replace: '',
				},
			'If a piece is missing, the error has the numbers of the rows without an ID.': {
				find: 'withoutId.length > 0 ? `. The response has ${',
				replace: 'withoutId.length < 0 ? `. The response has ${',
			},
			'An error names a refusal that comes twice only once.': {
				find: '...new Set(refused.map((row) => refusedText(order, row))),',
				replace: '...refused.map((row) => refusedText(order, row)),',
			},
			'Nobody is told that it is safe to run again if a created shipment belongs to no order.': {
				find: 'unmatched.length > 0\n				?',
				replace: 'unmatched.length < 0\n				?',
			},
			'Of several errors of a run, each names the second shipment of its order.': {
				find: "describeDifference).join(', ')}${nameOthers(order, shipment)}",
				replace: "describeDifference).join(', ')}",
			},
			'Of several orders that exist, each error names the second shipment.': {
				find: "(ID ${ids.join(', ')})${nameOthers(order, shipment)}`,",
				replace: "(ID ${ids.join(', ')})`,",
			},
			'Of several orders with an unknown outcome, each error names the shipments that may be its own.':
				{
					find: '${nameOfOrder(order)}${maybe}`,',
					replace: '${nameOfOrder(order)}`,',
				},
		},
		'output.ts': {
			'If a piece is refused, the error says to cancel the others, which are not completed later.':
				{
					find: '{ batch, created: pieces }',
					replace: '{ batch }',
				},
			'Cash on delivery of several pieces is output once.': {
				find: 'codPrice: collected && index === 0 ?',
				replace: 'codPrice: collected ?',
			},
			'An unmatched shipment has no recipient or cash on delivery of another order.': {
				find: 'const body = others.length === 0 ? order.body : undefined;',
				replace: 'const { body } = order;',
			},
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
			'A piece without an ID is missing, although more refusals came than pieces were ordered.': {
				find: 'Math.max(0, leastCount, missingCount - refused.length)',
				replace: 'Math.max(0, missingCount - refused.length)',
			},
			'A piece without an ID that was read back is not missing.': {
				find: 'withoutId.length - readBackCount',
				replace: 'withoutId.length',
			},
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
		'readBack.ts': {
			'A detail that cannot be read does not keep the other orders unknown.': {
				find: '.catch(() => (mayBeIncomplete ? { ...shipment, lacksDetail: true } : shipment))',
				replace: '',
			},
			'A shipment that was read back has its number, although the list lacks it.': {
				find: 'if (!mayBeIncomplete && !lacksNumber) return shipment;',
				replace: 'if (!mayBeIncomplete) return shipment;',
			},
			'A shipment that was read back is not unknown because only its number cannot be read.': {
				find: 'mayBeIncomplete ? { ...shipment, lacksDetail: true } : shipment',
				replace: '{ ...shipment, lacksDetail: true }',
			},
		},
		'runError.ts': {
			'The error of a run does not name an order for a shipment that may be of another one.': {
				find: 'json.unmatched ? undefined : json.packageNumberCustom',
				replace: 'json.packageNumberCustom',
			},
			'The error of a run has no empty shipment numbers.': {
				find: "each.packageNumberCarrier ? ` ${String(each.packageNumberCarrier)}` : '';",
				replace: '` ${String(each.packageNumberCarrier)}`;',
			},
			'If the run ends with an error, its message names every shipment that exists.': {
				find: 'return [own, ...others.filter',
				replace: 'return [...others.filter',
			},
		},
		'printCreated.ts': {
			'What a printer refuses with an error counts as printed for nobody.': {
				find: '!isServiceError(error) || !concernsAllRequests(error.facts)',
				replace: '!isServiceError(error)',
			},
			'What the printer refused with the hash of the batch is printed by the next try.': {
				find: "if (isReached) for (const id of shipmentIdsOf({ targets })) progress[id] = 'created';",
				replace: '',
			},
			'The records are asked again right before an existing shipment is printed.': {
				find: 'await askBeforePrinting(run, toAsk, results, options);',
				replace: 'await askBeforePrinting(run, [], results, options);',
			},
			'The hash of a batch prints only batches of which every label is wanted.': {
				find: 'group.length === batch?.packagesCount &&',
				replace: '',
			},
			'A batch of which the service does not say how many labels it has is not printed as a whole.':
				{
					find: 'group.length === batch?.packagesCount',
					replace: 'group.length === (batch?.packagesCount ?? group.length)',
				},
			'The label of a shipment that may be of another order is not printed.': {
				find: 'each.isUnmatched && hasNoResult(each)',
				replace: 'each.isUnmatched && !hasNoResult(each)',
			},
			'A job that may have been printed is not replaced by another one in the next try.': {
				find: 'addOutcomes(printing.earlier);',
				replace: '',
			},
		},
		'printResults.ts': {
			'Labels that the service has not created are not counted as printed.': {
				find: 'job.slice(job[0].labelsMissing ?? 0)',
				replace: 'job.slice(0)',
			},
		},
		'labelsToPrint.ts': {
			'The label of a duplicate that could not be canceled is not printed without asking.': {
				find: 'return shipment.duplicates?.notCanceled !== undefined;',
				replace: 'return false;',
			},
			'A run that took its time to read back a shipment asks before it prints the others.': {
				find: 'if (!isFromResponse(shipment)) return true;',
				replace: '',
			},
			'A retry days later asks before it prints.': {
				find: 'if (isOfEarlierExecution) return true;',
				replace: '',
			},
			'A shipment whose order has an earlier one is not printed without asking.': {
				find: '(isExchange(order) || !duplicates?.named.length),',
				replace: 'true,',
			},
			'The label of a shipment that somebody has canceled meanwhile is not printed.': {
				find: 'if (isCanceled) return CANCELED;',
				replace: '',
			},
			'A retry does not print the label of a shipment that somebody has canceled since the printer refused it.':
				{
					find: 'if (isCanceled) return CANCELED;',
					replace: 'if (isCanceled && progress === undefined) return CANCELED;',
				},
			'A label that was printed before is not printed again.': {
				find: 'if (printed && progress === undefined) return PRINTED_BEFORE;',
				replace: '',
			},
			'A label that the printer refused is printed in a retry although its file counts as printed.':
				{
					find: "if (progress === 'created') return undefined;",
					replace: 'if (printed) return PRINTED_BEFORE;',
				},
			'A label whose own request was lost is not said to be printed before.': {
				find: "if (printed && progress === 'requested') return MAY_BE_PRINTED;",
				replace: 'if (printed && progress) return PRINTED_BEFORE;',
			},
			'If the list shows a first shipment only right before printing, the label of the second is not printed.':
				{
					find: 'if (hasLower && mayHaveOnlyOne) return SECOND_SHIPMENT;',
					replace: '',
				},
			'A label is not printed if the service does not say whether it was.': {
				find: 'return printed === undefined && !isFromResponse ? PRINTED_UNKNOWN : undefined;',
				replace: 'return undefined;',
			},
			'A run that could not read the records after creating asks again before it prints.': {
				find: 'duplicates?.notRead === undefined &&',
				replace: '',
			},
			'A batch that an earlier try has created is not printed before its records are read.': {
				find: 'isNewInThisTry(order) &&',
				replace: '',
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
	...defectsIn('nodes/ParcelShipping/transport/', {
		'groupPieces.ts': {
			'The living pieces of a shipment that is canceled in part belong together.': {
				find: 'placeByDetails([...canceledMains, ...pieces],',
				replace: 'placeByDetails([...canceledMains.slice(0, 0), ...pieces],',
			},
			'A detail without a reference does not hide that of the list.': {
				find: 'reference: detail.reference || listed.reference,',
				replace: 'reference: detail.reference,',
			},
			'Pieces of two shipments of one order are told apart.': {
				find: 'if (mainId) mainIds.set(piece.id, mainId);',
				replace: 'if (mainId) mainIds.set(piece.id, pieces[0]?.id ?? mainId);',
			},
		},
		'pieces.ts': {
			'An ID that the service writes as text is a number.': {
				find: 'id: Number(record.id),',
				replace: 'id: record.id,',
			},
			'An order number that the list writes as a number is found.': {
				find: "reference: String(reference ?? '').trim(),",
				replace: "reference: typeof reference === 'string' ? reference.trim() : '',",
			},
			'An order number that the list writes with spaces is found.': {
				find: "reference: String(reference ?? '').trim(),",
				replace: "reference: String(reference ?? ''),",
			},
		},
		'shipmentRecords.ts': {
			'A list whose references are null does not hide what exists.': {
				find: '(each.packageNumberCustom ?? null) !== null',
				replace: 'each.packageNumberCustom !== undefined',
			},
			'A listed shipment of an order that nobody says keeps other orders from being sent.': {
				find: 'this.unread.set(main.id, main);',
				replace: 'this.unread.delete(main.id);',
			},
			'A detail that the service does not have yet does not say that the shipment has no reference.':
				{
					find: 'if (pieces[0]) this.references.set(main.id, pieces[0].reference);',
					replace: "this.references.set(main.id, pieces[0]?.reference ?? '');",
				},
			'A shipment of which one piece is canceled still exists.': {
				find: '.toSorted((a, b) => Number(b.isCanceled) - Number(a.isCanceled));',
				replace: '.toSorted((a, b) => Number(a.isCanceled) - Number(b.isCanceled));',
			},
			'A number that begins like another one is not taken for it.': {
				find: 'const exact = candidates.filter(({ reference }) => wanted.has(reference));',
				replace:
					'const exact = candidates.map((each) => ({ ...each, reference: [...wanted.keys()].find((of) => each.reference.startsWith(of)) ?? each.reference }));',
			},
		},
	}),
];
