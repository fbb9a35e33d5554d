import { defectsIn } from '../defect';

export const trackingDefects = defectsIn('nodes/ParcelShipping/tracking/', {
	'eventGroups.ts': {
		'The customer is told that a parcel is at the pickup point.': {
			find: 'categories: { TransitReady: 22, DeliveredPickup: 101 },',
			replace: 'categories: { TransitReady: 22 },',
		},
		'The customer is not told that a parcel at the pickup point was delivered.': {
			find: "if (event.delivered === true) return 'delivered';",
			replace:
				"if (event.delivered === true || /^delivered/i.test(String(event.category))) return 'delivered';",
		},
		'A delivery back to the sender does not count as a delivery.': {
			find: "if (group === 'returning' || group === 'returned') return group;\n",
			replace: '',
		},
		"'All' does not start the workflow with No Movement.": {
			find: "(name === 'all' && !isPeriod)",
			replace: "name === 'all'",
		},
	},
	'history.ts': {
		'An event comes once, although the carrier corrects its text.': {
			find: 'const parts = [carrier, number, at || event.date, code, name, item, carrierCode];',
			replace:
				'const parts = [carrier, number, at || event.date, code, name, item, carrierCode, event.name];',
		},
		'No event comes again if the provider begins to write its dates in another way.': {
			find: 'at || event.date, code',
			replace: 'event.date, code',
		},
		'No event comes again because the time zone of the account becomes known.': {
			find: 'isSameZone ? at : localTime(event.date, moment.idZone)',
			replace: 'at',
		},
		'An event that a response repeats has its first text.': {
			find: 'if (!byId.has(id)) byId.set(',
			replace: 'byId.set(',
		},
		'A planned delivery does not make the real one an older event.': {
			find: "history.filter(({ at }) => at !== '' && at <= soon);",
			replace: "history.filter(({ at }) => at !== '');",
		},
		'A carrier that reports a delivery twice causes one message to the customer.': {
			find: '\t\tgroups.add(each.group);\n',
			replace: '',
		},
		'An older event that comes late is not the latest.': {
			find: "each.isLatest = each.at === '' || each.at >= latest;",
			replace: 'each.isLatest = true;',
		},
		'A date in the night of a clock change means the same moment on every server.': {
			find: 'DateTime.min(moment,',
			replace: 'DateTime.max(moment,',
		},
		'A reminder does not come at once because a provider sends the year 1 for a missing date.': {
			find: "if (day < '1970') return '';",
			replace: "if (day === '') return '';",
		},
		'An order that was canceled and created again is followed.': {
			find: 'return last !== undefined && !isCreation(last);',
			replace: "return history.some(({ group }) => placeOf(group) === 'final');",
		},
		'A scan after the delivery does not make a shipment wait for pickup again.': {
			find: ".findLast((each) => isCreation(each) || placeOf(each.group) === 'final');",
			replace: '.findLast((each) => placeOf(each.group) !== undefined);',
		},
		'No customer is reminded of a parcel that has left the pickup point.': {
			find: "({ group }) => placeOf(group) !== undefined && group !== 'readyForPickup',",
			replace: "({ group }) => placeOf(group) === 'final',",
		},
		'A customer is reminded of a parcel that arrived in the second of another scan.': {
			find: "return group === 'readyForPickup' ? 1 : 0;",
			replace: "return group === 'readyForPickup' ? 0 : 1;",
		},
		'A period comes once, although the user changes its days.': {
			find: 'idOf(shipment, { category: periodTypes[type].category }, since);',
			replace:
				'idOf(shipment, { category: `${periodTypes[type].category} ${Date.now()}` }, since);',
		},
		'A response that lacks the latest event reports no standstill.': {
			find: 'if (isShortened || isOver(history, moment)) return [];',
			replace: 'if (isOver(history, moment)) return [];',
		},
		'A shipment that is back at the sender is not reported because it does not move.': {
			find: 'if (isShortened || isOver(history, moment)) return [];',
			replace: 'if (isShortened) return [];',
		},
		'All events of a shipment that was created since publishing are new.': {
			find: "const areAllNew = since === '' || isNewShipment;",
			replace: "const areAllNew = since === '';",
		},
		'Events from before publishing are not new because an order was created again since then.': {
			find: 'created.every(({ at }) => at >= since)',
			replace: 'created.some(({ at }) => at >= since)',
		},
		'A shipment with a planned delivery is not requested in every poll until then.': {
			find: 'const latest = happenedBy(history, moment).at(-1)?.at ?? dayText(addedOn);',
			replace: 'const latest = history.at(-1)?.at ?? dayText(addedOn);',
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
			find: "return context.getActivationMode() === 'activate' && !isTransient(failure);",
			replace: "return context.getActivationMode() === 'activate';",
		},
		'A poll sends nothing more after the provider has asked for a pause.': {
			find: 'mayAsk: (share) => !isHeldBack && hasTime(share),',
			replace: 'mayAsk: (share) => hasTime(share),',
		},
	},
	'state.ts': {
		'Shipments that the user selects later do not bring their existing events.': {
			find: "const startFrom = isSameProvider ? 'now' : watch.startFrom;",
			replace: 'const { startFrom } = watch;',
		},
		'Another provider does not continue with the shipments of the one before.': {
			find: 'if (isSameProvider) Object.assign(state, { idZone, shipments: kept });',
			replace: 'Object.assign(state, { idZone, shipments: kept });',
		},
		'A new credential does not mix up the shipments of two accounts.': {
			find: 'if (!isSameAccount) shipment.id = 0;\n',
			replace: '',
		},
		'A shipment that was missing from the list for a while does not emit its events again.': {
			find: 'listed > 0 || addedOn >= firstDay;',
			replace: 'listed > 0;',
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
			replace: '',
		},
	},
	'list.ts': {
		'A number that the user lists under ANT and ant has each event once.': {
			find: '${carrier.toUpperCase()}',
			replace: '${carrier}',
		},
		'A list that repeats its last page ends.': {
			find: 'if (page.every(({ id }) => seen.has(id))) {',
			replace: 'if (page.length === 0) {',
		},
		'A long list is read to its end, although a poll has no time for all of it.': {
			find: 'if (isDue) list.next = Math.max(start, list.next);\n',
			replace: '',
		},
		'The whole list is read over several polls.': {
			find: 'let pagesLeft = isDue ? minutes * PAGES_PER_MINUTE : 0;',
			replace: 'let pagesLeft = isDue ? Infinity : 0;',
		},
		'A shipment that is on another page for a moment is still watched.': {
			find: 'const LISTED_NOW = 3;',
			replace: 'const LISTED_NOW = 1;',
		},
		'A new number of a shipment does not emit its old events again.': {
			find: "if (shipment.latest !== '') shipment.since ??= `${shipment.latest}~`;\n",
			replace: '',
		},
		'An order that is created again with its number has the record of the later shipment.': {
			find: 'else if (known.id === 0 || (id > known.id && !isSecondary)) this.giveId(known, id);',
			replace: 'else if (known.id === 0) this.giveId(known, id);',
		},
		'With Once per Order, pieces start nothing.': {
			find: 'isOfCarrier && (mainId === undefined || !isMainOnly);',
			replace: 'isOfCarrier;',
		},
		'Carriers that the user did not select start nothing, although the provider ignores the filter.':
			{
				find: 'carrierCodes.length === 0 || carrierCodes.some((code) => isSameCode(code, carrier));',
				replace: 'carrierCodes.length >= 0;',
			},
	},
	'track.ts': {
		'The shipments of a month are requested evenly, and not all in the same poll.': {
			find: 'wasOnTime || minutes === 0 ? 0 : position % minutes;',
			replace: '0;',
		},
		'A clock that was ahead once does not keep shipments from being requested.': {
			find: 'askAt <= minute || askAt > minute + LONGEST_MINUTES;',
			replace: 'askAt <= minute;',
		},
		'Many refused numbers do not use up the requests of a poll.': {
			find: '.slice(0, MAX_ALONE);',
			replace: ';',
		},
		'Publishing a workflow does not start it with events that already exist.': {
			find: 'const news = startsNow ? [] : newOnes(all, shipment.since);',
			replace: 'const news = newOnes(all, shipment.since);',
		},
		'An event that comes under the numbers of two pieces starts the workflow once.': {
			find: 'if (piece !== shipment && isRead) continue;\n\t\t\t\tconst events = histories.get(piece) ?? [];',
			replace: 'const events = histories.get(piece) ?? [];',
		},
		'A row that says nothing does not make old events new.': {
			find: 'events === null && statusCode === undefined ? undefined : (events ?? []);',
			replace: 'events ?? [];',
		},
		'A number that makes the provider fail does not hide the others.': {
			find: '(isStatus500(failure) && (isAlone || !wasInVain));',
			replace: 'isAlone;',
		},
		'A provider that always fails gets few more requests.': {
			find: 'splitInVainAt.set(carrier, nowMs);',
			replace: 'splitInVainAt.delete(carrier);',
		},
		'A carrier that refuses everything for a while has its shipments checked right afterwards.': {
			find: 'if (!isAlone && !hasResponded) {',
			replace: 'if (!isAlone && !hasResponded && !isRefusal(failure)) {',
		},
		'A request that always fails does not keep others of its carrier from being sent.': {
			find: 'for (const each of shipments) asked.add(each);\n',
			replace: '',
		},
	},
	'poll.ts': {
		'Once per Order emits the first event of each group.': {
			find: 'isSelected(event, eventTypes) && (isFirstOfGroup || !isFirstOnly);',
			replace: 'isSelected(event, eventTypes);',
		},
		'Without Once per Order, every delivery that a carrier reports comes.': {
			find: 'isSelected(event, eventTypes) && (isFirstOfGroup || !isFirstOnly);',
			replace: 'isSelected(event, eventTypes) && isFirstOfGroup;',
		},
		'A workflow that cannot reach the provider does not begin to watch.': {
			find: 'if (mustThrow && isStart) throw failure;\n',
			replace: '',
		},
		'While a provider gives no events, what is read of its list is kept.': {
			find: 'if (mustThrow && isStart) throw failure;',
			replace: 'if (mustThrow) throw failure;',
		},
		'A carrier that is down does not fail the polls in which no others have anything to do.': {
			find: '(tracked.hasOtherCarriers && listed.failures.length === 0 && isTransient(failure));',
			replace: 'false;',
		},
	},
	'shipmentInfo.ts': {
		'A record without a phone field is completed by the detail.': {
			find: "recipientPart(record, 'Phone') !== undefined",
			replace: 'true',
		},
		'What a detail has said is remembered, so that later events take no request.': {
			find: 'if (!info && known && isRecent(known, poll)) return;\n',
			replace: '',
		},
		'A message goes to the recipient of the shipment that was not canceled.': {
			find: 'Number(a.canceled === true) - Number(b.canceled === true) || b.id - a.id',
			replace: 'b.id - a.id',
		},
	},
	'items.ts': {
		'An event of a piece has the ID of its shipment.': {
			find: 'shipmentId: mainId ?? id, pieceId: id',
			replace: 'shipmentId: id, pieceId: id',
		},
		'A later node that changes one event does not change the others.': {
			find: 'deepCopy(fields.get(shipment) ?? {});',
			replace: 'fields.get(shipment) ?? {};',
		},
		"An item has the carrier of the shipment, and the carrier's own code of the event.": {
			find: 'eventCarrierCode: carrierCode ?? null',
			replace: 'carrierCode: carrierCode ?? null',
		},
	},
	'sample.ts': {
		'A workflow can be built before the first event of its type.': {
			find: 'wanted.map((type) => (',
			replace: 'wanted.slice(1).map((type) => (',
			engine: 'triggerEvents',
		},
		'An example beside the real events is only made of types without an event.': {
			find: 'named.filter((type) => !events.some(({ group }) => group === type));',
			replace: 'named;',
		},
	},
	'zone.ts': {
		'Dates are read in the time zone of the account, not of n8n.': {
			find: 'const zone = ofAccount ?? context.getTimezone();',
			replace: 'const zone = context.getTimezone();',
		},
		'Dates are read in the time zone of the account soon after the user has corrected the password.':
			{
				find: 'return isMissingEndpoint(failure) ? null : undefined;',
				replace: 'return null;',
			},
	},
});
