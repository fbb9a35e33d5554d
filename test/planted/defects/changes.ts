import { defectsIn } from '../defect';

export const changesDefects = defectsIn('nodes/ParcelShipping/changes/', {
	'cancel.ts': {
		'What is left of a shipment that was canceled in part can be canceled.': {
			find: 'if (!found || found.isGuessed || !(thrown instanceof ItemError)) throw thrown;',
			replace: 'if (thrown) throw thrown;',
		},
		'What is left of a shipment can be canceled also if another item names its ID.': {
			find: 'const finding = findById(client, own, before ? undefined : found, known);',
			replace:
				'const finding = client.once(`${wantedId}`, async () => findById(client, own, before ? undefined : found, known));',
		},
		'A piece that may be of another shipment is not canceled.': {
			find: '!found || found.isGuessed || !(thrown',
			replace: '!found || !(thrown',
		},
		'A retry does not cancel the shipment that was created again for an order that was canceled before.':
			{
				find: 'note(canceling.keepCanceled(',
				replace: 'void ((',
			},
		'What an earlier try has canceled is in the output, whatever fails afterwards.': {
			find: 'return [...shipments, ...ofOthers].flatMap(',
			replace: 'return (ofOthers && shipments).flatMap(',
		},
		'A shipment whose number is not assigned yet is not reported as canceled.': {
			find: 'if (isCanceled || numbers.length > 0) {',
			replace: 'if (isCanceled || numbers.length >= 0) {',
		},
		'A retry does not report a shipment as canceled of which a part was refused.': {
			find: 'if (isNonEmpty(known) && known.length >= pieceCountBefore) return toShipment(known, items);',
			replace: 'if (isNonEmpty(known)) return toShipment(known, items);',
		},
		'A retry leaves the shipment alone that was created again for a canceled order.': {
			find: 'const before = found && canceledBefore(found, doneOrPending);',
			replace: 'const before = found && canceledBefore(found, []);',
		},
		'A retry knows what an earlier try may have canceled of an order.': {
			find: 'const doneOrPending = canceling.doneOrPendingNumbers();',
			replace: 'const doneOrPending = recalledNumbers;',
		},
		'A shipment with a piece without a number is reported as canceled only if its records say it.':
			{
				find: 'const mustConfirm = !isCanceled && numbers.length < pieces.length;',
				replace: 'const mustConfirm = false;',
			},
		'A piece that the records do not show does not count as canceled.': {
			find: 'canceled.length >= Math.max(pieceCount, pieces.length)',
			replace: 'canceled.length >= pieces.length',
		},
		'A retry does not report a shipment as canceled of which a piece is listed on its own by now.':
			{
				find: 'pieceCount < pieceCountBefore ? partError(known) : undefined;',
				replace: 'undefined;',
			},
		'A shipment that only the list shows as canceled is not canceled again.': {
			find: 'withNewer(listed.get(piece.id) ?? piece, piece)',
			replace: 'piece',
		},
		'What a run has canceled of a shipment before it ended is named.': {
			find: 'return isNonEmpty(canceled) ? [{ items, failure: partError(canceled) }] : [];',
			replace: 'return [];',
		},
		'Each error of a shipment that is canceled in part names what is canceled.': {
			find: "failure: done === '' ? error : reword(error, withDone)",
			replace: "failure: done === '' ? error : withDetails(error, { done })",
		},
		'A piece that the service does not show is not reported as canceled.': {
			find: 'if (pieces.length === 0) {',
			replace: 'if (pieces.length < 0) {',
		},
	},
	'cancelNumbers.ts': {
		'A number that was canceled before is recognized, although the list has none.': {
			find: "listed.number === '' ? await",
			replace: 'listed.record.packageNumberCarrier === undefined ? await',
		},
		'A number that the service refuses to cancel is not reported as canceled.': {
			find: "if (row?.isCanceled === true) return done('response');",
			replace: "if (row) return done('response');",
		},
		'Numbers that were all canceled before are returned as canceled, also if the service refuses each.':
			{
				find: 'return { number, isCanceled: false, said, refusal: { error, mayBeOfCarrier } };',
				replace:
					'return mayBeOfCarrier ? { number, error } : { number, isCanceled: false, said, refusal: { error, mayBeOfCarrier } };',
			},
		'If the carrier refuses every number, each error says why, and not that a shipment was not canceled.':
			{
				find: 'refusal.mayBeOfCarrier || !isRead',
				replace: '!isRead',
			},
		'A number that the service refuses alone is looked up once, whatever comes of it.': {
			find: 'refusal.mayBeOfCarrier || !isRead',
			replace: 'refusal.mayBeOfCarrier',
		},
		'A number has the correlation ID of the last request with it, also without a row.': {
			find: 'const given = correlationIds[number];',
			replace: 'const given = Object.values(correlationIds)[0];',
		},
		'A shipment that is listed is not thereby canceled.': {
			find: "if (record?.isCanceled) return done(isRefused ? 'existing' : 'records');",
			replace: "if (record) return done(isRefused ? 'existing' : 'records');",
		},
		'A cancellation whose response is lost is not sent again.': {
			find: 'if (!mayHaveActed(thrown)) throw thrown;',
			replace: 'throw thrown;',
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
