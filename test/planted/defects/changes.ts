import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
		'A retry does not cancel the shipment that was created again for an order that was canceled before.':
			{
				find: 'for (const target of targets) notes.sending(target.name, target);',
				replace: '',
			},
		'What was certainly not canceled may be sent again.': {
			find: 'notes.forget(name);',
			replace: '{}',
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
			find: "typeof successfull === 'boolean' ? successfull : undefined,",
			replace: 'Boolean(successfull),',
		},
		'A number that the provider refuses to cancel is not reported as canceled.': {
			find: '!said(piece) && !shown',
			replace: 'said(piece) === undefined && !shown',
		},
		'Numbers that were canceled before are returned as canceled, also if the carrier refuses each.':
			{
				find: 'if (pieces.some(isLeft)) await',
				replace: 'if (pieces.some((piece) => said(piece) === undefined)) await',
			},
		'A cancellation without numbers, which could mean everything, is not sent.': {
			find: 'if (numbers.length === 0) return answers;',
			replace: '',
		},
		'Each error of a shipment that is canceled in part names what is canceled.': {
			find: "canceled === '' ? outcome : `${outcome}. Canceled with it: ${canceled}`,",
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
			find: 'done ? { shipment, done } : { shipment, unknown: SENT }',
			replace: "done ? { shipment, done } : { shipment, done: 'before' }",
		},
		'A canceled shipment is not reported as handed over.': {
			find: 'if (shipment.isCanceled) {\n\t\t\tnotes',
			replace: 'if (shipment.id < 0) {\n\t\t\tnotes',
		},
		'Only the chosen shipments are handed over. An empty list means everything.': {
			find: 'packages: shipments.map(({ id }) => id) },',
			replace: 'packages: shipments.slice(0, 0).map(({ id }) => id) },',
		},
		'A retry by n8n does not hand over again what it has sent.': {
			find: 'if (notes.isOfEarlierExecution(key) && handedOver',
			replace: 'if (handedOver',
		},
		'If an item is invalid, nothing is handed over unless the node continues.': {
			find: 'endsWithError(run, [...failedBefore, ...failed]);',
			replace: 'endsWithError(run, []);',
		},
		'A shipment is handed over with all others only if the records say that it was not yet.': {
			find: '} else if (isNamed || handedOver === false) {',
			replace: '} else if (isNamed || !handedOver) {',
		},
		'A preview hands over nothing.': {
			find: 'const sent = isDryRun',
			replace: 'const sent = !date && date',
		},
	},
	'records.ts': {
		'A shipment with 0 pieces in the list is not done because another one is counted.': {
			find: 'record.pieceCount) === 1;',
			replace: 'record.pieceCount ?? 2) <= 1;',
		},
		'The ID of an additional piece does not cancel the other pieces.': {
			find: 'pieces[0]?.id === id ? pieces :',
			replace: 'pieces[0] ? pieces :',
		},
		'A tracking number that two carriers have is canceled at none.': {
			find: 'if (carriers.length === 1) return pieces;',
			replace: 'if (carriers.length > 0) return pieces;',
		},
		'A shipment of which one piece is canceled is handed over.': {
			find: 'const { id, reference, isCanceled, handedOver, record } = main;',
			replace:
				'const { id, reference, handedOver, record } = main;\n\tconst isCanceled = whole.some((each) => each.isCanceled);',
		},
		'A shipment without a detail may be the one with the tracking number.': {
			find: 'if (carrierCode === undefined && mayHaveIt) throw',
			replace: 'if (carrierCode === number && mayHaveIt) throw',
		},
	},
});
