import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
		'A retry does not cancel the shipment that was created again for an order that was canceled before.':
			{
				find: 'for (const target of targets) notes.sending(target.name, target);',
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
			find: 'const NO_NUMBER: Answer = {\n\tisCanceled: false,',
			replace: 'const NO_NUMBER: Answer = {\n\tisCanceled: true,',
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
			find: "if (numbers.length === 0) return new Map([['', NO_NUMBER]]);",
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
			find: 'readPieces(client, carrierCode, id).catch(() => [])',
			replace: 'readPieces(client, carrierCode, pieces.at(-1)?.id ?? 0).catch(() => [])',
			engine: 'orderNumbers',
		},
	},
	'handOver.ts': {
		'What was handed over before is not called nothing.': {
			find: 'if (note || isNamed) outcomes',
			replace: 'if (note) outcomes',
		},
		'A count of shipments does not prove that all pieces were handed over.': {
			find: '(arePieces && count === shipments.length)',
			replace: 'count === shipments.length',
		},
		'A retry of a hand-over that sends nothing names what is still unknown.': {
			find: 'done ? { done } : { failure: unknownError(shipment, SENT) }',
			replace: '{ done: done ?? BEFORE }',
		},
		'A canceled shipment is not reported as handed over.': {
			find: '!handedOver || isCanceled;',
			replace: '!handedOver && !isCanceled;',
		},
		'Only the chosen shipments are handed over. An empty list means everything.': {
			find: 'packages: shipments.map(({ id }) => id) },',
			replace: 'packages: shipments.slice(0, 0).map(({ id }) => id) },',
		},
		'A retry by n8n does not hand over again what it has sent.': {
			find: 'isOpen && notes.isOfEarlierExecution(key)',
			replace: 'isOpen',
		},
		'If an item is invalid, nothing is handed over unless the node continues.': {
			find: 'endsWithError(run, [...failedBefore, ...failed]);',
			replace: 'endsWithError(run, []);',
		},
		'A shipment is handed over with all others only if the records say that it was not yet.': {
			find: ': isOpen || isNamed)',
			replace: ': !handedOver || isNamed)',
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
			find: 'if (carriers.length === 1) return',
			replace: 'if (carriers.length > 0) return',
		},
		'A shipment of which one piece is canceled is handed over.': {
			find: 'const { id, reference, isCanceled, handedOver, record } = main;',
			replace:
				'const { id, reference, handedOver, record } = main;\n\tconst isCanceled = read.some((each) => each.isCanceled);',
		},
		'A shipment without a detail may be the one with the tracking number.': {
			find: 'if (pieces.length === 0 && !isAdditional(each.record)) throw',
			replace: 'if (pieces.length < 0) throw',
		},
	},
});
