import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
		'A second retry knows what the first try has canceled of a shipment.': {
			find: 'canceled.length > 0 ? { ...target, numbersBefore: canceled } : target',
			replace: 'target',
		},
		'What is left of a shipment that was canceled in part can be canceled.': {
			find: 'found && !found.isGuessed ?',
			replace: 'found && found.id === 0 ?',
		},
		'A piece that may be of another shipment is not canceled.': {
			find: 'found && !found.isGuessed ?',
			replace: 'found ?',
		},
		'A retry does not cancel the shipment that was created again for an order that was canceled before.':
			{
				find: 'outcomes.push(...canceledBefore.map((target) => keepCanceled(target, journal)));',
				replace: 'void [canceledBefore, keepCanceled];',
			},
		'What an earlier try has canceled is in the output, whatever fails afterwards.': {
			find: 'groupBy([...targets, ...more.map((each) => each.targets[0])], keyOfCanceled)',
			replace:
				'groupBy([...targets, ...more.slice(0, 0).map((each) => each.targets[0])], keyOfCanceled)',
		},
		'What an earlier try has canceled of a shipment is named, also if the retry of a person sends nothing.':
			{
				find: '[...sendable, ...outcomes].map(',
				replace: '[...sendable.slice(0, 0), ...outcomes].map(',
			},
		'A retry of a cancellation that sends nothing names what is still unknown.': {
			find: 'resultsOf([...outcomes, ...sendable])',
			replace: 'resultsOf([...outcomes, ...sendable.slice(0, 0)])',
		},
		'A shipment whose number is not assigned yet is not reported as canceled.': {
			find: 'if (living.length > 0 && numbers.length === 0) {',
			replace: 'if (living.length < 0) {',
		},
		'A retry leaves the shipment alone that was created again for a canceled order.': {
			find: 'target.isOfOrder && target.reference === found?.reference;',
			replace: 'target.id === found?.id;',
		},
		'A piece that an earlier try has canceled does not stand for its order.': {
			find: 'target.isOfOrder && target.reference',
			replace: 'target.reference',
		},
		'A shipment that an item has canceled by its order number stands for the order, although another item names its ID.':
			{
				find: 'isOfOrder: equal.some(({ isOfOrder }) => isOfOrder),',
				replace: '',
			},
		'A retry knows what an earlier try may have canceled of an order.': {
			find: 'const before = journal.doneOrPendingTargets;',
			replace: 'const before = journal.doneOutcomes.map((each) => each.targets[0]);',
		},
		'A shipment with a piece without a number is reported as canceled only if its records say it.':
			{
				find: '...(hasAllNumbers ? {} : { pieceCount: pieces.length }),',
				replace: '...(hasAllNumbers ? {} : {}),',
			},
		'A piece that the service does not show is not reported as canceled.': {
			find: 'if (own.length > 0) return own.map(',
			replace: 'if (own.length >= 0) return own.map(',
		},
		'The ID of an additional piece does not cancel the other pieces.': {
			find: 'main?.id === id ? pieces :',
			replace: 'main ? pieces :',
		},
		'A shipment is not canceled because the list shows its main piece as canceled.': {
			find: 'listed.some(({ isCanceled }) => !isCanceled)',
			replace: 'listed.length > 0',
		},
		'A shipment that only the list shows as canceled is not canceled again.': {
			find: 'withNewer(known.get(piece.id) ?? piece, piece)',
			replace: 'piece',
		},
		'The retry of a person cancels also what has got its number since.': {
			find: 'if (earlier && !(isSame && journal.isSendable(earlier))) return [earlier];',
			replace: 'if (earlier) return [earlier];',
		},
		'The retry of a person cancels again what is not known, also if the records cannot be read.': {
			find: 'if (earlier) return [earlier];',
			replace: '',
		},
		'Each item that names a shipment has an output.': {
			find: 'items.map((item) => ({ items: [item], json }))',
			replace: '[{ items, json }]',
		},
		'Each item that names a shipment has its error.': {
			find: 'items.map((item) => ({ items: [item], failure }))',
			replace: '[{ items, failure }]',
		},
		'Two items that name one shipment cancel all pieces that one of them shows.': {
			find: 'numbers: [...new Set(equal.flatMap(({ numbers }) => numbers))],',
			replace: 'numbers: equal[0].numbers,',
		},
		'A piece without a number is confirmed, although only one of two items shows it.': {
			find: '...(pieceCounts.length > 0 ?',
			replace: '...(pieceCounts.length > 9 ?',
		},
	},
	'cancelMessages.ts': {
		'If the carrier refuses every number, each error says why, and not that a shipment was not canceled.':
			{
				find: "(row.state === 'notSent' || isOfAll)",
				replace: "row.state === 'notSent'",
			},
		'Each error of a shipment that is canceled in part names what is canceled.': {
			find: 'new ItemError(message + withIt,',
			replace: 'new ItemError(message,',
		},
	},
	'cancelWrite.ts': {
		'A retry sends what is left of a shipment that was canceled in part, if its request had no effect.':
			{
				find: 'open.every(isNotSent) && canceled.length === 0',
				replace: 'open.every(isNotSent)',
			},
		'A number that a later shipment uses again is not canceled because the first shipment is.': {
			find: '.filter((each) => !ofLiving.has(each))',
			replace: '',
		},
		'All shipments with a number are read.': {
			find: 'return pieces.flat().filter((each) => each.number === number);',
			replace: 'return pieces.flat().filter((each) => each.number === number).slice(0, 1);',
		},
		'Text instead of yes or no does not say that a number is canceled.': {
			find: 'successfull === true',
			replace: 'successfull',
		},
		'A number that was canceled before is recognized, although the list has none.': {
			find: "each.number === '' ?",
			replace: 'each.record.packageNumberCarrier === undefined ?',
		},
		'A number that the service refuses to cancel is not reported as canceled.': {
			find: "numbers.filter((each) => stateOf(each) !== 'canceled' &&",
			replace: 'numbers.filter((each) => !rows.has(each) &&',
		},
		'A shipment of which a piece was refused is not reported as canceled.': {
			find: 'if (open.length === 0 && isWhole(',
			replace: 'if (open.length < numbers.length && isWhole(',
		},
		'Numbers that were all canceled before are returned as canceled, also if the service refuses each.':
			{
				find: "toFailedRow(each.number, 'refused', each.failure)",
				replace: "toFailedRow(each.number, 'notSent', each.failure)",
			},
		'A refused number keeps its reason, also if the request for the others fails.': {
			find: 'if (split.failed.length === numbers.length) throw split.failure;',
			replace: 'if (split.failed.length > 0) throw split.failure;',
		},
		'What was certainly not canceled may be sent again.': {
			find: "toFailedRow(number, 'notSent', split.failure)",
			replace: "toFailedRow(number, 'unclear', split.failure)",
		},
		'A refusal without words of the service gets none.': {
			find: '{ serviceMessage: said, correlationId }',
			replace: '{ serviceMessage: said = error.message, correlationId }',
		},
		'A cancellation whose response is lost is not sent again.': {
			find: 'if (!mayHaveActed(thrown)) throw thrown;',
			replace: 'throw thrown;',
		},
		'A retry does not cancel the shipment that was created again for one that was canceled in part.':
			{
				find: 'return isCertain && canceled.length === 0',
				replace: 'return isCertain',
			},
		'The records are read until each number is known.': {
			find: 'const isFinal = isCertain && (',
			replace: 'const isFinal = openNumber !== undefined && (',
		},
		'The records are read for a piece without a number.': {
			find: 'open.length > 0 && open.every(',
			replace: 'open.every(',
		},
		'A search that fails does not hide what others have found.': {
			find: 'return { key, pieces, problem:',
			replace: 'return { key, pieces: [], problem:',
		},
		'A number has the correlation ID of the last request with it, also without a row.': {
			find: "rows.get(openNumber ?? numbers[0] ?? '');",
			replace: '[...rows.values()][0];',
		},
		'A shipment that is listed is not thereby canceled.': {
			find: 'records.flatMap(({ pieces }) => pieces).filter(({ isCanceled }) => isCanceled);',
			replace: 'records.flatMap(({ pieces }) => pieces);',
		},
		'A piece that the records do not show does not count as canceled.': {
			find: 'count >= pieceCount && pieces.every(',
			replace: 'count >= 0 && pieces.every(',
		},
	},
	'handOverOutput.ts': {
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
			replace: 'count === targets.length || pieceCounts.length === 0;',
		},
		'A lost hand-over of a shipment with 0 pieces in the list does not count as done.': {
			find: 'count > 0 && (',
			replace: 'count >= 0 && (',
		},
		'A shipment with 0 pieces in the list is not done because another one is counted.': {
			find: 'Number(pieceCount) || NaN',
			replace: 'Number(pieceCount ?? NaN)',
		},
		'A retry of a hand-over that sends nothing names what is still unknown.': {
			find: '[...outcomes, ...left]);',
			replace: '[...outcomes, ...left.slice(0, 0)]);',
		},
		'A canceled shipment is not reported as handed over.': {
			find: '(stateOf.get(each.id)?.handedOver === true && !isCanceled(each))',
			replace: 'stateOf.get(each.id)?.handedOver === true',
		},
		'Only the chosen shipments are handed over. An empty list means everything.': {
			find: 'packages: targets.map(({ id }) => id) },',
			replace: 'packages: targets.slice(0, 0).map(({ id }) => id) },',
		},
		'A hand-over whose response is lost has its protocol, also if there were others before.': {
			find: 'own.filter(({ id }) => Number(id) > lastHandOverId);',
			replace: 'own;',
		},
		'With several new hand-overs, none is output as the one that was asked for.': {
			find: 'new Set(newHandOvers.map(({ id }) => id)).size === 1;',
			replace: 'newHandOvers.length > 0;',
		},
		'A hand-over whose protocol was not found says so.': {
			find: '...(handOver ? {} : { doubt:',
			replace: '...(known ? {} : { doubt:',
		},
		'A retry names the hand-over although the record of a shipment could not be read before.': {
			find: 'isRepeatable: isRepeatable(target) };',
			replace: 'isRepeatable: true };',
		},
		'A retry does not hand over again what the records do not say.': {
			find: '=> stateOf.get(id)?.handedOver === false;',
			replace: '=> !stateOf.get(id)?.handedOver;',
		},
		'A shipment that was canceled since does not fail the retry of a hand-over of everything.': {
			find: 'const { outcomes, sendable } = await recall(journal, write);',
			replace:
				'const recalled = await recall(journal, write); const { sendable } = recalled; const outcomes = [...recalled.outcomes, ...sendable];',
		},
		'What an earlier try has handed over is not handed over again.': {
			find: '=> journal.isSendable(shipment);',
			replace: '=> shipment.id > 0;',
		},
		'If an item is invalid, nothing is handed over unless the node continues.': {
			find: 'if (!endsWithError(run, failed)) {\n\t\tconst queues',
			replace: 'if (failed) {\n\t\tconst queues',
		},
	},
	'planHandOver.ts': {
		'A shipment is handed over with all others only if the records say that it was not yet.': {
			find: 'else if (shipmentIds || state.handedOver === false) {',
			replace: 'else if (shipmentIds || !state.handedOver) {',
		},
	},
	'shipmentState.ts': {
		'A shipment whose number of pieces is unknown is not counted as one piece.': {
			find: 'pieces.length > 1 ? pieces.length : null);',
			replace: 'pieces.length > 1 ? pieces.length : 1);',
		},
		'A shipment is not canceled because the list says so in an unknown way.': {
			find: "typeof main?.record.canceled === 'boolean'",
			replace: 'main?.record.canceled !== undefined',
		},
		'The number of pieces in the list counts where the detail has one piece.': {
			find: 'pieceCount: pieceCount ?? detailed.pieceCount };',
			replace: 'pieceCount: detailed.pieceCount };',
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
