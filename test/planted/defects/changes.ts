import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
		'A retry does not cancel the shipment that was created again for an order that was canceled before.':
			{
				find: 'notes.sending(target.name, target);\n\t\tnotes.add(target.name, { done });',
				replace: '',
			},
		'A retry leaves the shipment alone that was created again for a canceled order.': {
			find: 'const own = { ...target, items };',
			replace: 'const own = { ...target, items, name: String(target.id) };',
		},
		'A retry leaves the shipment alone that was created again for one that was canceled in part.': {
			find: 'if (isCertain && left.length === pieces.length) notes',
			replace: 'if (isCertain) notes',
		},
		'What was certainly not canceled may be sent again.': {
			find: 'if (isCertain && left.length === pieces.length) notes.forget(name);',
			replace: '',
		},
		'What may be canceled is sent again only if a person retries.': {
			find: "'failure' in each && notes.isOfEarlierExecution(each.target.name) ?",
			replace: "'failure' in each ?",
		},
		'A retry of a cancellation that sends nothing names what is still unknown.': {
			find: 'for (const each of noted) settled',
			replace: "for (const each of noted.filter((one) => 'done' in one)) settled",
		},
		'A shipment whose number is not assigned yet is not reported as canceled.': {
			find: 'if (active.length > 0 && active.every(',
			replace: 'if (active.length < 0 && active.every(',
		},
		'The ID of an additional piece does not cancel the other pieces.': {
			find: 'pieces[0]?.id === id ? pieces :',
			replace: 'pieces[0] ? pieces :',
		},
		'Each item that names a shipment has an output.': {
			find: 'items.map((item) => ({ items: [item], json }))',
			replace: '[{ items, json }]',
		},
		'Text instead of yes or no does not say that a number is canceled.': {
			find: 'successfull === true',
			replace: 'successfull',
		},
		'A number that the provider refuses to cancel is not reported as canceled.': {
			find: "let left = pieces.filter((piece) => stateOf(piece) !== 'canceled');",
			replace: "let left = pieces.filter((piece) => (stateOf(piece) ?? 'unclear') === 'unclear');",
		},
		'Numbers that were canceled before are returned as canceled, also if the carrier refuses each.':
			{
				find: 'left = leftIn(left, records);',
				replace:
					"if (left.some((piece) => stateOf(piece) !== 'refused')) left = leftIn(left, records);",
			},
		'A number that a later shipment uses again is not canceled because the first shipment is.': {
			find: 'own.every((each) => each.isCanceled);',
			replace: 'own.some((each) => each.isCanceled);',
		},
		'A person who retries cancels also what has got its number since.': {
			find: "number: number || (own[0]?.number ?? '')",
			replace: 'number',
		},
		'A cancellation without numbers, which could mean everything, is not sent.': {
			find: 'if (numbers.length === 0) return answers;',
			replace: '',
		},
	},
	'messages.ts': {
		'Each error of a shipment that is canceled in part names what is canceled.': {
			find: 'new ItemError(message + withIt,',
			replace: 'new ItemError(message,',
		},
	},
	'output.ts': {
		'What was handed over before is not called nothing.': {
			find: 'handOver ? shipments : alreadyHandedOver;',
			replace: 'shipments;',
		},
		'An item with nothing to hand over has an output, also if another item fails.': {
			find: 'filter(({ item }) => !hasOutput.has(item));',
			replace: 'filter(({ item }) => failures.length === 0 && !hasOutput.has(item));',
		},
	},
	'handOver.ts': {
		'A count of shipments does not prove that all pieces were handed over.': {
			find: 'count === pieceCounts.reduce((sum, each) => sum + each, 0);',
			replace: 'count === shipments.length || pieceCounts.length === 0;',
		},
		'A shipment with 0 pieces in the list is not done because another one is counted.': {
			find: 'Number(pieceCount) || NaN',
			replace: 'Number(pieceCount ?? NaN)',
		},
		'A retry of a hand-over that sends nothing names what is still unknown.': {
			find: 'const before = noted.results.filter(({ shipment }) =>',
			replace: "const before = noted.results.filter(({ shipment, ...each }) => 'done' in each &&",
		},
		'A canceled shipment is not reported as handed over.': {
			find: 'if (states.get(shipment.id)?.canceled) {',
			replace: 'if (states.size < 0) {',
		},
		'Only the chosen shipments are handed over. An empty list means everything.': {
			find: 'packages: shipments.map(({ id }) => id) },',
			replace: 'packages: shipments.slice(0, 0).map(({ id }) => id) },',
		},
		'A hand-over whose protocol was not found says where to get it.': {
			find: 'id === null ? FROM_LIST :',
			replace: 'id === 0 ? FROM_LIST :',
		},
		'A retry does not hand over again what the records do not say.': {
			find: 'handedOver === false && notes',
			replace: '!handedOver && notes',
		},
		'A retry by n8n does not hand over again what it has sent.': {
			find: ' && notes.isOfEarlierExecution(key)',
			replace: '',
		},
		'What an earlier try has handed over is not handed over again.': {
			find: '!isNoted(each) || noted',
			replace: 'each.id > 0 || noted',
		},
		'If an item is invalid, nothing is handed over unless the node continues.': {
			find: 'const sent = endsWithError(run, [...failedBefore, ...planned.failed])',
			replace: 'const sent = endsWithError(run, [])',
		},
	},
	'planHandOver.ts': {
		'A shipment is handed over with all others only if the records say that it was not yet.': {
			find: 'else if (shipmentIds || state.handedOver === false) {',
			replace: 'else if (shipmentIds || !state.handedOver) {',
		},
	},
	'state.ts': {
		'A shipment is not canceled because the list says so in an unknown way.': {
			find: "typeof main?.record.canceled === 'boolean'",
			replace: 'main?.record.canceled !== undefined',
		},
		'A detail without additional pieces does not prove that there are none.': {
			find: 'main, pieces.length > 1 ? pieces.length : null);',
			replace: 'main, pieces.length);',
		},
		'A shipment of which one piece is canceled is handed over.': {
			find: 'return toState(carrierCode, main, pieces.length >',
			replace:
				'return toState(carrierCode, { ...main, isCanceled: pieces.some((each) => each.isCanceled) }, pieces.length >',
		},
	},
});
