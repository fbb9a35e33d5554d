import { defectsIn } from '../defect';

export const creationDefects = [
	...defectsIn('nodes/ParcelShipping/creation/', {
		'createShipments.ts': [
			{
				promise: 'Shipments of an earlier try are checked for duplicates as well.',
				find: 'return await cancelDuplicates([...recalled, ...found.outcomes, ...sent], run);',
				replace: 'return [...recalled, ...found.outcomes, ...(await cancelDuplicates(sent, run))];',
				noticedBy: 'creation',
			},
			{
				promise: 'Another execution with the same order waits, and finds its shipment.',
				find: 'return await withLock(lockKeys, async () => {',
				replace: 'return await withLock([], async () => {',
				noticedBy: 'creation',
			},
			{
				promise: 'What an earlier try has created is not created again.',
				find: '(order) => !journal.has(journal.keyOf(order))',
				replace: '(order) => Boolean(order)',
				noticedBy: 'creation',
			},
			{
				promise: 'An order that is in the output of an earlier try is not looked up again.',
				find: "if (each.outcome.kind === 'done') journal.write(each);",
				replace: '{}',
				noticedBy: 'creation',
			},
			{
				promise:
					'A shipment that was there before does not count as created after a lost response.',
				find: 'const idsBefore = today ? (today.get(carrierCode) ?? null) : found.canceledIds;',
				replace: 'const idsBefore: number[] = [];',
				noticedBy: 'creation',
			},
		],
		'duplicates.ts': [
			{
				promise: 'Of two shipments of one order, one lives.',
				find: 'if (surplus.length === 0) return current;',
				replace: 'if (surplus.length >= 0) return current;',
				noticedBy: 'creation',
			},
			{
				promise: 'After a lost response, the second shipment of the order is canceled as well.',
				find: '({ carrierCode }) => isSameCode(carrierCode, order.carrierCode)',
				replace: '(each) => each === own && isSameCode(each.carrierCode, order.carrierCode)',
				noticedBy: 'creation',
			},
			{
				promise: 'The shipment with the lowest ID stays, so that two processes do not cancel both.',
				find: '(a, b) => a.id - b.id,\n\t) as [ShipmentRecord',
				replace: '(a, b) => b.id - a.id,\n\t) as [ShipmentRecord',
				noticedBy: 'creation',
			},
			{
				promise: 'Who created the shipment that stays prints it, and nobody else.',
				find: "isOwnKnown ? 'other' : 'records'",
				replace: "isOwnKnown ? 'existing' : 'records'",
				noticedBy: 'creation',
			},
			{
				promise: 'Nothing counts as canceled that has no number of the carrier.',
				find: "if (about.some(({ number }) => number === ''))",
				replace: 'if (about.length === 0)',
				noticedBy: 'creation',
			},
			{
				promise: 'A duplicate that could not be canceled is named.',
				find: '...(other ? { duplicateOf: { ...toDuplicate(other), reason } } : {}),',
				replace: '',
				noticedBy: 'creation',
			},
			{
				promise: 'A canceled shipment does not count as a duplicate.',
				find: 'groupBy(shipments.filter(isLiving), (each)',
				replace: 'groupBy(shipments, (each)',
				noticedBy: 'creation',
			},
		],
		'existing.ts': [
			{
				promise: 'Other living shipments of the order are named.',
				find: '...(others.length > 0 ? { duplicates: others.map(toDuplicate) } : {}),',
				replace: '',
				noticedBy: 'creation',
			},
			{
				promise: 'A recovered or existing shipment counts as printed only if its record says so.',
				find: 'living.find(({ id }) => id === row.id)?.printed;',
				replace: 'living.find(({ id }) => id === row.id)?.printed ?? true;',
			},
		],
		'lookUp.ts': [
			{
				promise: 'A canceled shipment does not keep its order from being sent again.',
				find: 'const living = withReference.filter(isLiving);',
				replace: 'const living = withReference;',
				noticedBy: 'creation',
			},
			{
				promise: 'Nothing is sent if the look-up fails.',
				find: 'result.outcomes.push(...notDone<Creation>(together, thrown));',
				replace: 'if (thrown) result.toSend.push(...together);',
				noticedBy: 'creation',
			},
			{
				promise: 'The pieces that the list does not show are in the output.',
				find: 'if (isCompared && !lacksPieces(order, first)) return [first, ...others];',
				replace: 'if (isCompared) return [first, ...others];',
				noticedBy: 'creation',
			},
		],
		'match.ts': [
			{
				promise: 'A piece that is missing from the response belongs to the shipment of the others.',
				find: '({ id, pieces }) => rowIds.has(id) || pieces.some((piece) => rowIds.has(piece.id)),',
				replace: '({ id }) => id < 0,',
			},
			{
				promise: 'The label of a piece that the response leaves out is printed once.',
				find: 'batch: created.length > 0 ? batch : ownBatch',
				replace: 'batch: ownBatch',
			},
			{
				promise: 'A row without a reference does not make its order free for another try.',
				find: 'settled.push({ about: candidates, outcome });',
				replace: 'settled.push({ about: [], outcome });',
			},
			{
				promise:
					'A row that belongs to no order for certain is linked to each that it may belong to.',
				find: 'const candidates = withoutPiece.length > 0 ? withoutPiece : orders;',
				replace: 'const candidates = orders.slice(0, 1);',
			},
			{
				promise: 'A shipment that the response lists twice is output once.',
				find: 'const isRepeated = id > 0 && (ids.has(id) || others.doneIds.has(id));',
				replace: 'const isRepeated = id > 0 && others.doneIds.has(id);',
			},
			{
				promise:
					'With Create Another One, a shipment that may be of another run is not taken for certain.',
				find: "(others.ifExists !== 'create' || created.length === 1)",
				replace: 'created.length > 0',
			},
			{
				promise: 'The other shipments that a lost response may have created are named.',
				find: '...(others.length > 0 ? { duplicates: others.map(toDuplicate) } : {}),',
				replace: '',
				noticedBy: 'creation',
			},
		],
		'messages.ts': [
			{
				promise: 'With Create Another One, nobody is told that nothing is created again.',
				find: "ifExists === 'create'\n\t\t\t? \"Correct the values and run",
				replace: "ifExists === ('never' as string)\n\t\t\t? \"Correct the values and run",
				noticedBy: 'creation',
			},
			{
				promise:
					'The second shipment of an order is named also if the order differs from the first.',
				find: "if (duplicates.length === 0) return '';",
				replace: "if (duplicates.length >= 0) return '';",
				noticedBy: 'creation',
			},
		],
		'output.ts': [
			{
				promise: 'An unmatched shipment has no recipient or cash on delivery of another order.',
				find: 'const body = others.length === 0 ? order.body : undefined;',
				replace: 'const { body } = order;',
			},
			{
				promise: 'If the run ends with an error, its message names every shipment that exists.',
				find: 'const own = Number(id) > 0 ? [{ id, carrierCode, packageNumberCarrier }] : [];',
				replace: 'const own: Duplicate[] = [];',
				noticedBy: 'creation',
			},
			{
				promise: 'A shipment of another run that stays counts as existing.',
				find: "via === 'existing' || via === 'other'",
				replace: "via === 'existing'",
			},
		],
		'print.ts': [
			{
				promise: 'The records are asked again right before an existing shipment is printed.',
				find: 'await askBeforePrinting(run, toAsk, results, settings);',
				replace: 'await askBeforePrinting(run, [], results, settings);',
				noticedBy: 'creation',
			},
			{
				promise: 'A label that was printed before is not printed again.',
				find: 'else if (printed) results.set(id, { labelNotPrinted: PRINTED_BEFORE });',
				replace: '',
				noticedBy: 'creation',
			},
			{
				promise: 'The hash of a batch prints only batches of which every label is wanted.',
				find: 'group.length === (batch?.packagesCount ?? group.length) &&',
				replace: '',
				noticedBy: 'creation',
			},
			{
				promise: 'A label is not printed if the service does not say whether it was.',
				find: 'else if (printed === undefined) results.set(id, { labelNotPrinted: UNKNOWN });',
				replace: '',
				noticedBy: 'creation',
			},
			{
				promise: 'A job that may have been printed is not replaced by another one in the next try.',
				find: "hasRequested(printerName, id) || hasSent(printerName, batch?.labelsHash ?? '')",
				replace: 'hasRequested(printerName, id)',
				noticedBy: 'creation',
			},
		],
	}),
	...defectsIn('nodes/ParcelShipping/writes/', {
		'lock.ts': [
			{
				promise: 'A third execution waits for the second one, not only for the first.',
				find: 'if (held.get(key) === released) held.delete(key);',
				replace: 'held.delete(key);',
			},
		],
		'journal.ts': [
			{
				promise: 'A request is in the journal before it is sent.',
				find: 'this.entries.open.push(open);',
				replace: '',
			},
			{
				promise: 'What is unknown is not sent again when n8n tries again.',
				find: "const unknown = settled.filter(({ outcome }) => outcome.kind === 'unknown');",
				replace:
					"const unknown = settled.filter(({ outcome }) => outcome.kind === ('never' as string));",
			},
			{
				promise: 'A person who retries can send what certainly does not exist.',
				find: 'return execution !== this.execution;',
				replace: 'return execution === this.execution;',
			},
		],
		'writeOnce.ts': [
			{
				promise: 'After a retry by a person, an order that may exist is not sent again.',
				find: 'about.some((each) => contested.has(journal.keyOf(each))),',
				replace: 'false,',
			},
			{
				promise: 'A person whose records cannot be read does not send an order again.',
				find: 'const isFree = isByPerson && (searches > 0 || !write.find);',
				replace: 'const isFree = isByPerson;',
			},
			{
				promise: 'A request that may have been carried out is not sent again.',
				find: 'if (!mayHaveActed(thrown)) {',
				replace: 'if (thrown) {',
			},
			{
				promise: 'The records are read again while they may still show more.',
				find: 'for (const pauseMs of [0, ...pausesBetweenSearches(maxWaitMs)]) {',
				replace: 'for (const pauseMs of [0]) {',
			},
		],
	}),
	...defectsIn('nodes/ParcelShipping/labels/', {
		'print.ts': [
			{
				promise: 'A print job whose response is lost does not print again when a person retries.',
				find: '...(isPrinted ? { candidates: {} } : {})',
				replace: '',
				noticedBy: 'creation',
			},
			{
				promise: 'A printer that does not accept the labels is reported.',
				find: 'if (response?.result) {',
				replace: 'if (response) {',
				noticedBy: 'creation',
			},
		],
	}),
	...defectsIn('nodes/ParcelShipping/transport/', {
		'shipmentRecords.ts': [
			{
				promise: 'Pieces of two shipments of one order are told apart.',
				find: 'if (mainId) mainOf.set(piece.id, mainId);',
				replace: 'if (mainId) mainOf.set(piece.id, pieces[0]?.id ?? mainId);',
				noticedBy: 'creation',
			},
			{
				promise: 'A record of another carrier is not taken for that of the order.',
				find: 'carrierCode === undefined || isSameCode(record.carrierCode, carrierCode);',
				replace: 'true;',
				noticedBy: 'creation',
			},
			{
				promise: 'A number that begins like another one is not taken for it.',
				find: 'const exact = candidates.filter(({ reference }) => wanted.has(reference));',
				replace:
					'const exact = candidates.map((each) => ({ ...each, reference: [...wanted.keys()].find((of) => each.reference.startsWith(of)) ?? each.reference }));',
				noticedBy: 'creation',
			},
		],
	}),
];
