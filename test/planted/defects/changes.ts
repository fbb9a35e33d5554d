import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
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
				find: 'outcomes.push(...canceledBefore.map(canceling.keepCanceled));',
				replace: 'void canceledBefore;',
			},
		'What an earlier try has canceled is in the output, whatever fails afterwards.': {
			find: 'groupBy([...targets, ...ofEarlierTries], keyOfCanceled)',
			replace: 'groupBy([...targets, ...ofEarlierTries.slice(0, 0)], keyOfCanceled)',
		},
		'A shipment whose number is not assigned yet is not reported as canceled.': {
			find: 'if (living.length > 0 && numbers.length === 0) {',
			replace: 'if (living.length < 0) {',
		},
		'A retry leaves the shipment alone that was created again for a canceled order.': {
			find: 'target.reference === found.reference && !isPiece',
			replace: 'target.id === found.id && !isPiece',
		},
		'A piece that an earlier try has canceled does not stand for its order.': {
			find: 'target.reference === found.reference && !isPiece',
			replace: 'target.reference === found.reference',
		},
		'A retry knows what an earlier try may have canceled of an order.': {
			find: 'const before = canceling.doneOrPending();',
			replace: 'const before = outcomes.map((each) => each.targets[0]);',
		},
		'A shipment with a piece without a number is reported as canceled only if its records say it.':
			{
				find: '...(hasAllNumbers ? {} : { pieceCount: pieces.length }),',
				replace: '...(hasAllNumbers ? {} : {}),',
			},
		'A piece that the service does not show is not reported as canceled.': {
			find: 'if (own.length > 0) return own;',
			replace: 'if (own.length >= 0) return own;',
		},
		'The ID of an additional piece does not cancel the other pieces.': {
			find: 'main.id === id ? pieces :',
			replace: 'main.id > 0 ? pieces :',
		},
	},
	'cancelAct.ts': {
		'A number that was canceled before is recognized, although the list has none.': {
			find: "listed.number === '' ? await",
			replace: 'listed.record.packageNumberCarrier === undefined ? await',
		},
		'A number that the service refuses to cancel is not reported as canceled.': {
			find: 'numbers.filter((each) => !rows.get(each)?.isCanceled &&',
			replace: 'numbers.filter((each) => !rows.has(each) &&',
		},
		'A shipment of which a piece was refused is not reported as canceled.': {
			find: 'if (open.length === 0 && isWhole(',
			replace: 'if (open.length < numbers.length && isWhole(',
		},
		'Numbers that were all canceled before are returned as canceled, also if the service refuses each.':
			{
				find: 'return { number, isCanceled: false, said, correlationId };',
				replace: 'return { number, isCanceled: undefined, said, correlationId };',
			},
		'A refused number keeps its reason, also if the response to the others is lost.': {
			find: 'if (rows.length === 0) throw split.failure;',
			replace: 'if (rows.length >= 0) throw split.failure;',
		},
		'A cancellation whose response is lost is not sent again.': {
			find: 'isRefusal(failure) && !mayHaveActed(failure) &&',
			replace: 'isRefusal(failure) &&',
		},
		'A number has the correlation ID of the last request with it, also without a row.': {
			find: "const given = rows.get(numbers[0] ?? '')?.correlationId;",
			replace: 'const given = [...rows.values()][0]?.correlationId;',
		},
		'A shipment that is listed is not thereby canceled.': {
			find: 'own.flatMap(({ pieces }) => pieces).filter(({ isCanceled }) => isCanceled);',
			replace: 'own.flatMap(({ pieces }) => pieces);',
		},
		'A piece that the records do not show does not count as canceled.': {
			find: 'count >= pieceCount && pieces.every(',
			replace: 'count >= 0 && pieces.every(',
		},
		'Each error of a shipment that is canceled in part names what is canceled.': {
			find: 'new ItemError(message + withIt,',
			replace: 'new ItemError(message,',
		},
	},
	'handOverOutput.ts': {
		'An item with nothing to hand over has an output, also if another item fails.': {
			find: 'filter(({ item }) => !hasOutput.has(item));',
			replace: 'filter(({ item }) => failures.length === 0 && !hasOutput.has(item));',
		},
	},
	'handOver.ts': {
		'A count of shipments does not prove that all pieces were handed over.': {
			find: 'countInResponse === counts.reduce((sum, count) => sum + count, 0) ||',
			replace: 'countInResponse === targets.length ||',
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
			find: 'personMayRepeat: mayRepeat(target) };',
			replace: 'personMayRepeat: true };',
		},
		'A retry does not hand over again what the records do not say.': {
			find: '=> stateOf.get(id)?.handedOver === false;',
			replace: '=> !stateOf.get(id)?.handedOver;',
		},
		'A shipment that was canceled since does not fail the retry of a hand-over of everything.': {
			find: 'const { outcomes } = await recall(journal, write);',
			replace:
				'const recalled = await recall(journal, write); const outcomes = [...recalled.outcomes, ...recalled.notDone];',
		},
		'What an earlier try has handed over is not handed over again.': {
			find: '=> journal.mayRequest(shipment);',
			replace: '=> shipment.id > 0;',
		},
		'If an item is invalid, nothing is handed over unless the node continues.': {
			find: 'if (failed.length === 0 || context.continueOnFail()) {\n\t\tconst queues',
			replace: 'if (failed) {\n\t\tconst queues',
		},
	},
	'planHandOver.ts': {
		'A shipment is handed over with all others only if the records say that it was not yet.': {
			find: 'else if (shipmentIds || state.handedOver === false) {',
			replace: 'else if (shipmentIds || !state.handedOver) {',
		},
		'A shipment whose number of pieces is unknown is not counted as one piece.': {
			find: 'state.pieceCount ?? null;',
			replace: 'state.pieceCount ?? 1;',
		},
	},
	'shipmentState.ts': {
		'A shipment is not canceled because the list says so in an unknown way.': {
			find: "typeof record?.canceled === 'boolean'",
			replace: 'record?.canceled !== undefined',
		},
		'The number of pieces in the list counts where the detail has one piece.': {
			find: 'pieceCount: pieceCount ?? detailed.pieceCount };',
			replace: 'pieceCount: detailed.pieceCount };',
		},
		'A detail without additional pieces does not prove that there are none.': {
			find: 'pieceCount: pieces.length > 1 ? pieces.length : undefined,',
			replace: 'pieceCount: pieces.length,',
		},
		'A shipment of which one piece is canceled is handed over.': {
			find: 'canceled: main.isCanceled,',
			replace: 'canceled: pieces.some(({ isCanceled }) => isCanceled),',
		},
	},
});
