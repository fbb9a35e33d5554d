import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
		'A retry does not cancel the shipment that was created again for an order that was canceled before.':
			{
				find: 'for (const target of targets) notes.sending(target.name, target);',
				replace: '',
			},
		'What was certainly not canceled may be sent again.': {
			find: 'if (pieces.every(isSaid(false)) && left.length === pieces.length) notes.forget(name);',
			replace: '',
		},
		'What may be canceled is sent again only if a person retries.': {
			find: "'failure' in result && byName.has(name) && notes.isOfEarlierExecution(name)",
			replace: "'failure' in result && byName.has(name)",
		},
		'A shipment whose number is not assigned yet is not reported as canceled.': {
			find: "['', NO_NUMBER]",
			replace: "['', { ...NO_NUMBER, isCanceled: true }]",
		},
		'Each item that names a shipment has an output.': {
			find: 'const items = group.map(({ item }) => item);',
			replace: 'const items = [group[0].item];',
		},
		'Text instead of yes or no does not say that a number is canceled.': {
			find: "typeof successfull === 'boolean' ? successfull : undefined;",
			replace: 'Boolean(successfull);',
		},
		'A number that the provider refuses to cancel is not reported as canceled.': {
			find: '!isSaid(true)(piece));',
			replace: 'answers.get(piece.number)?.isCanceled === undefined);',
		},
		'Numbers that were canceled before are returned as canceled, also if the carrier refuses each.':
			{
				find: 'if (left.length > 0) await',
				replace: 'if (!left.every(isSaid(false))) await',
			},
		'A cancellation without numbers, which could mean everything, is not sent.': {
			find: 'const parts = chunk(numbers, NUMBERS_PER_REQUEST);',
			replace: 'const parts = [numbers];',
		},
		'Each error of a shipment that is canceled in part names what is canceled.': {
			find: "canceled.length > 0 ? `${outcome}. Canceled with it: ${canceled.join(', ')}` : outcome,",
			replace: 'outcome,',
		},
		'A retry by a person cancels only what it still names.': {
			find: 'byName.has(name) && notes.isOfEarlierExecution(name)',
			replace: 'notes.isOfEarlierExecution(name)',
			engine: 'retriedRuns',
		},
		'The pieces of a shipment that have no detail of their own are read with it.': {
			find: 'readPieces(client, carrierCode, recordId)',
			replace: 'readPieces(client, carrierCode, pieces.at(-1)?.id ?? 0)',
			engine: 'orderNumbers',
		},
	},
	'handOver.ts': {
		'What was handed over before is not called nothing.': {
			find: "if (isNamed) outcomes.set(key, { shipment, done: 'before' });",
			replace: '',
		},
		'A count of shipments does not prove that all pieces were handed over.': {
			find: '(arePieces && count === shipments.length)',
			replace: 'count === shipments.length',
		},
		'A retry of a hand-over that sends nothing names what is still unknown.': {
			find: 'outcomes.set(key, unknown(shipment));',
			replace: '',
		},
		'A canceled shipment is not reported as handed over.': {
			find: '\t\tif (shipment.canceled) {\n\t\t\tnotes',
			replace: '\t\tif (shipment.id < 0) {\n\t\t\tnotes',
		},
		'Only the chosen shipments are handed over. An empty list means everything.': {
			find: 'packages: shipments.map(({ id }) => id) },',
			replace: 'packages: shipments.slice(0, 0).map(({ id }) => id) },',
		},
		'A retry by n8n does not hand over again what it has sent.': {
			find: 'isAsked && notes.isOfEarlierExecution(key);',
			replace: 'isAsked;',
		},
		'If an item is invalid, nothing is handed over unless the node continues.': {
			find: 'endsWithError(run, [...failedBefore, ...failed]);',
			replace: 'endsWithError(run, []);',
		},
		'A shipment is handed over with all others only if the records say that it was not yet.': {
			find: '} else if (isNamed || state.handedOver === false) {',
			replace: '} else if (isNamed || !state.handedOver) {',
		},
		'A preview hands over nothing.': {
			find: 'const sent = isDryRun',
			replace: 'const sent = !date && date',
		},
	},
	'records.ts': {
		'The ID of an additional piece does not cancel the other pieces.': {
			find: 'pieces[0]?.id === id ? pieces :',
			replace: 'pieces[0] ? pieces :',
		},
		'A tracking number that two carriers have is canceled at none.': {
			find: 'if (carriers.length === 1) return pieces;',
			replace: 'if (carriers.length > 0) return pieces;',
		},
		'A detail without additional pieces does not prove that there are none.': {
			find: 'pieces.length > 1 ? pieces.length : null',
			replace: 'pieces.length',
		},
		'A shipment of which one piece is canceled is handed over.': {
			find: 'return { carrierCode, id, reference, pieceCount, canceled, handedOver };',
			replace:
				'return { carrierCode, id, reference, pieceCount, canceled: canceled || pieces.some((each) => each.isCanceled), handedOver };',
		},
	},
});
