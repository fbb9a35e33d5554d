import { defectsIn } from '../defect';

export const trackingDefects = defectsIn('nodes/ParcelShipping/tracking/', {
	'eventGroups.ts': {
		'The customer is told that a parcel is at the pickup point.': {
			find: "categories: ['TransitReady', 'DeliveredPickup'],",
			replace: "categories: ['TransitReady'],",
		},
		'A delivery back to the sender does not count as a delivery.': {
			find: "if (group === 'returning' || group === 'returned') return group;\n",
		},
		"'All' does not start the workflow with No Movement.": {
			find: "name === 'all' ? !isPeriod",
			replace: "name === 'all' ? true",
		},
	},
	'history.ts': {
		'An event comes once, although the carrier corrects its text.': {
			find: '|| date, code, name, item, carrierCode];',
			replace: '|| date, code, name, item, carrierCode, event.name];',
		},
		'No event comes again because the time zone of the account becomes known.': {
			find: 'event: SentEvent, { idZone }: Moment)',
			replace: 'event: SentEvent, { zone: idZone }: Moment)',
		},
		'A planned delivery does not make the real one an older event.': {
			find: "history.filter(({ at }) => at !== '' && at <= soon);",
			replace: "history.filter(({ at }) => at !== '');",
		},
		'A carrier that reports a delivery twice causes one message to the customer.': {
			find: '\t\tgroups.add(each.group);\n',
		},
		'An older event that comes late is not the latest.': {
			find: "each.isLatest = each.at === '' || each.at >= latest;",
			replace: 'each.isLatest = true;',
		},
		'A scan after the delivery does not make a shipment wait for pickup again.': {
			find: ".findLast((each) => isCreation(each) || placeOf(each.group) === 'final');",
			replace: '.findLast((each) => placeOf(each.group));',
		},
		'No customer is reminded of a parcel that has left the pickup point.': {
			find: 'placeOf(each.group) && !isArrival(each)',
			replace: "placeOf(each.group) === 'final'",
		},
		'A period comes once, although the user changes its days.': {
			find: 'category: periodTypes[type].categories[0] }, moment);',
			replace: 'category: `${type} ${Date.now()}` }, moment);',
		},
		'A response that lacks the latest event reports no standstill.': {
			find: 'if (lastAt(happened) < shipment.latest || isOver(history, moment)) return [];',
			replace: 'if (isOver(history, moment)) return [];',
		},
		'All events of a shipment that was created since publishing are new.': {
			find: "const areAllNew = newFrom === '' || isNewShipment;",
			replace: "const areAllNew = newFrom === '';",
		},
	},
	'host.ts': {
		'Two polls that overlap do not emit the same events.': {
			find: 'if (isRunning && !isActivation) {',
			replace: 'if (isRunning && !isActivation && isFirst) {',
		},
		'A poll that hangs does not hold up all later ones.': {
			find: 'memory.polling !== undefined && Date.now() < memory.polling.endsAt;',
			replace: 'memory.polling !== undefined;',
		},
		'A version of the workflow that was replaced starts nothing.': {
			find: 'if ((memory.newestContext ?? context) !== context) {',
			replace: 'if (memory.newestContext === undefined) {',
		},
		'A provider that is down for a moment does not keep a workflow from being published.': {
			find: "return context.getActivationMode() === 'activate' && !isTransient(factsOf(failure));",
			replace: "return context.getActivationMode() === 'activate';",
		},
		'A poll sends nothing more after the provider has asked for a pause.': {
			find: 'mayAsk: (share) => !isHeldBack && hasTime(share),',
			replace: 'mayAsk: (share) => hasTime(share),',
		},
	},
	'state.ts': {
		'Shipments that the user selects later do not bring their existing events.': {
			find: "createState({ ...watch, startFrom: 'now' }, nowMs, zone);",
			replace: 'createState(watch, nowMs, zone);',
		},
		'A new credential does not mix up the shipments of two accounts.': {
			find: 'if (!isSameAccount) each.id = 0;\n',
		},
		'Filters that change twice while a long list is read lose no event.': {
			find: 'if (each.missesLeft === 0 && list.readAt > 0)',
			replace: 'if (each.missesLeft === 0)',
		},
		'The execution that n8n is still saving does not get its events twice.': {
			find: 'else if (nowMs - last.savedAt < SAVING_TAKES_MS) return undefined;',
			replace: 'else state = state ?? undefined;',
		},
		'After a restart, the trigger goes on where it was.': {
			find: "const ofWorkflow: unknown = context.getWorkflowStaticData('global')[stateKey(context)];",
			replace:
				"const ofWorkflow: unknown = context.getWorkflowStaticData('node')[stateKey(context)];",
		},
		'No event is lost or repeated because n8n discards the poll of a version that was replaced.': {
			find: 'if (!isCurrent()) return false;\n',
		},
	},
	'list.ts': {
		'A shipment that was missing from the list for a while does not emit its events again.': {
			find: 'missesLeft > 0 || addedOn >= firstDay;',
			replace: 'missesLeft > 0;',
		},
		'A long list is read to its end, although a poll has no time for all of it.': {
			find: 'if (isDue) list.next = Math.max(start, list.next);\n',
		},
		'A list that repeats its last page ends.': {
			find: 'if (page.every(({ id }) => seen.has(id))) {',
			replace: 'if (page.length === 0) {',
		},
		'A new number of a shipment does not emit its old events again.': {
			find: "if (shipment.latest !== '') shipment.newFrom ??= `${shipment.latest}~`;\n",
		},
		'With Once per Order, pieces start nothing.': {
			find: 'isOfCarrier && (mainId === undefined || !isOncePerOrder);',
			replace: 'isOfCarrier;',
		},
		'Carriers that the user did not select start nothing, although the provider ignores the filter.':
			{
				find: 'carrierCodes.length === 0 || carrierCodes.some((code) => isSameCode(code, carrier));',
				replace: 'carrierCodes.length >= 0;',
			},
	},
	'track.ts': {
		'An execution gets about 5,000 events at most, and the next poll brings the others.': {
			find: 'const isFull = newEvents.length >= MAX_EVENTS;',
			replace: 'const isFull = newEvents.length < 0;',
		},
		'The shipments of a month are requested evenly, and not all in the same poll.': {
			find: '(isOnTime ? 0 : position % (minutes || 1));',
			replace: '0 * position;',
		},
		'Publishing a workflow does not start it with events that already exist.': {
			find: 'const added = startsNow ? [] : newOnes(all, shipment.newFrom);',
			replace: 'const added = newOnes(all, shipment.newFrom);',
		},
		'An event that comes under the numbers of two pieces starts the workflow once.': {
			find: 'if (piece !== shipment && hasOwn) continue;\n',
		},
		'A number that makes the provider fail does not hide the others.': {
			find: 'isAlone || isDueAgain(context, `halved ${carrier}`, USUAL_MINUTES * 60_000, nowMs)',
			replace: 'isAlone',
		},
		'A request that always fails does not keep others of its carrier from being sent.': {
			find: 'for (const each of shipments) asked.add(each);\n',
		},
	},
	'poll.ts': {
		'Dates are read in the time zone of the account, not of n8n.': {
			find: 'const zone = ofAccount ?? context.getTimezone();',
			replace: 'const zone = context.getTimezone();',
		},
		'Once per Order emits the first event of each group.': {
			find: 'isSelected(event, eventTypes) && (isFirstOfGroup || !isOncePerOrder);',
			replace: 'isSelected(event, eventTypes);',
		},
		'A workflow that cannot reach the provider does not begin to watch.': {
			find: 'if (mustThrow && isStart) throw failure;\n',
		},
		'A carrier that is down does not fail the polls in which no others have anything to do.': {
			find: '(tracked.hasOtherCarriers && listed.failures.length === 0 && isTransient(factsOf(failure)));',
			replace: 'false;',
		},
	},
	'items.ts': {
		'Cash on delivery is recognized at a provider whose records have only its amount.': {
			find: 'record.cod === true || Number(codPrice ?? 0) > 0;',
			replace: 'record.cod === true;',
		},
		'A record without a phone field is completed by the detail.': {
			find: ', email, phone];',
			replace: ', email];',
		},
		'An event of a piece has the ID of its shipment.': {
			find: 'shipmentId: mainId || pieceId, pieceId, carrierCode };',
			replace: 'shipmentId: pieceId, pieceId, carrierCode };',
		},
	},
});
