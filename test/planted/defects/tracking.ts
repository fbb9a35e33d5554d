import { defectsIn } from '../defect';

export const trackingDefects = defectsIn('nodes/ParcelShipping/tracking/', {
	'eventGroups.ts': {
		'The customer is told that a parcel is at the pickup point.': {
			find: 'categories: { TransitReady: 22, DeliveredPickup: 101 },',
			replace: 'categories: { TransitReady: 22 },',
		},
	},
	'events.ts': {
		'An event comes once, although the carrier corrects its text.': {
			find: 'const parts = [carrier, number, date, code, category, item, carrierCode];',
			replace:
				'const parts = [carrier, number, date, code, category, item, carrierCode, event.name];',
		},
		'No event comes again if the service begins to write its dates in another way.': {
			find: 'const date = normalizeDate(event.date, timezone);',
			replace: 'const { date } = event;',
		},
		'No event comes again if the service writes a category by its number.': {
			find: 'const category = categoryNameOf(event.category) || event.category;',
			replace: 'const { category } = event;',
		},
		'A planned delivery does not make the real one an older event.': {
			find: 'withoutPlanned(sorted, nowMs).map(',
			replace: 'sorted.map(',
		},
		"'Emit All' emits every delivery that a carrier reports.": {
			find: 'hasEventType(event, eventTypes) && (isFirstOfGroup || !isFirstOnly),',
			replace: 'hasEventType(event, eventTypes) && isFirstOfGroup,',
		},
		'The customer is not told that a parcel at the pickup point was delivered.': {
			find: "if (delivered === true) return 'delivered';",
			replace:
				"if (delivered === true || /^delivered/i.test(String(category))) return 'delivered';",
		},
		'A delivery back to the sender does not count as a delivery.': {
			find: "if (group === 'returning' || group === 'returned') return group;\n",
			replace: '',
		},
		'A carrier that reports a delivery twice causes one message to the customer.': {
			find: '\t\tgroups |= groupBit(each.group);\n',
			replace: '',
		},
	},
	'state.ts': {
		'A number that the user lists under ANT and ant has each event once.': {
			find: '${carrier.toUpperCase()}',
			replace: '${carrier}',
		},
		'Shipments that the user selects later do not bring their existing events.': {
			find: 'const starts = { startedAt: nowMs, areExistingNew: false, periodsFrom };',
			replace: 'const starts = { startedAt: nowMs, periodsFrom };',
		},
		'Another service does not continue with the shipments of the one before.': {
			find: 'if (serviceOf(state) !== serviceOf(watch)) return createState(watch, nowMs);\n',
			replace: '',
		},
		'No event comes twice because the credential is a new one.': {
			find: 'if (serviceOf(state) !== serviceOf(watch)) return createState(watch, nowMs);',
			replace: 'if (state.account !== watch.account) return createState(watch, nowMs);',
		},
		'A new credential does not mix up the shipments of two accounts.': {
			find: '({ ...shipment, id: 0, mainId: undefined })',
			replace: '({ ...shipment })',
		},
		'A shipment that was missing from the list for a while does not emit its events again.': {
			find: "({ listed, addedDay }) => listed !== 'unlisted' || addedDay + days >= today",
			replace: "({ listed }) => listed !== 'unlisted'",
		},
		'A shipment that is still listed does not emit its events again.': {
			find: "({ listed, addedDay }) => listed !== 'unlisted' || addedDay + days >= today",
			replace: '({ addedDay }) => addedDay + days >= today',
		},
	},
	'compare.ts': {
		'An event that comes under the numbers of two pieces starts the workflow once.': {
			find: '!withOwnEvents.has(shipmentKey({ carrier, number: piece }))',
			replace: 'piece !== number',
		},
		'The delivery of another piece does not end the shipment.': {
			find: 'const ofPiece = eventsOfPiece(identified, before.number);',
			replace: 'const ofPiece = identified;',
		},
		'A new number of a shipment does not emit its old events again, although its first response is empty.':
			{
				find: 'events.length === 0 && before.latestAt !== undefined ? before.newSince : undefined',
				replace: 'undefined',
			},
		'If a carrier names something else than a piece, a delivery ends the shipment.': {
			find: 'const namesPiece = events.some(({ event }) => pieceNumberOf(event) === number);',
			replace: 'const namesPiece = true;',
		},
		'An order that is canceled and created again is followed, although its carrier still reports the cancellation.':
			{
				find: 'isEnd(each) && isOwn(each)',
				replace: 'isEnd(each)',
			},
		'A known delivery of another piece does not end the shipment if its own events are missing for once.':
			{
				find: ' && !mayBeOfOther(each)',
				replace: '',
			},
		'An end that the carrier corrects later, or repeats with its flag, ends the shipment.': {
			find: 'ofPiece.find((each) => isEnd(each)',
			replace: 'sorted.find((each) => isEnd(each)',
		},
		'An event that a response repeats has its first text.': {
			find: 'if (!knownMarks.has(markOf(each.eventId)) && !unknown.has(each.eventId))',
			replace: 'if (!knownMarks.has(markOf(each.eventId)))',
		},
		'An event that one response leaves out does not come again.': {
			find: 'const marks = [...knownMarks, ...flagged.events.map(({ eventId }) => markOf(eventId))];',
			replace: 'const marks = identified.map(({ eventId }) => markOf(eventId));',
		},
		'Publishing a workflow does not start it with events that already exist.': {
			find: '!startsNow && !isOfMain(event) &&',
			replace: '!isOfMain(event) &&',
		},
		'An event that all pieces of a shipment have, such as its creation, comes for each of them.': {
			find: 'pieceNumberOf(event) === before.number &&',
			replace: '',
		},
		'An event of a piece that came under its main shipment does not come again under its own number.':
			{
				find: '!startsNow && !isOfMain(event) &&',
				replace: '!startsNow &&',
			},
	},
	'dates.ts': {
		'A date in the night of a clock change means the same moment on every server.': {
			find: 'return DateTime.min(',
			replace: 'return DateTime.max(',
		},
		'A reminder does not come at once because a service sends the year 1 for a missing date.': {
			find: "const isMissing = day === undefined || day < '1970';",
			replace: 'const isMissing = day === undefined;',
		},
	},
	'periods.ts': {
		"'Waiting for Pickup' comes once.": {
			find: '[reportedField(type)]: since };',
			replace: 'noMovementReported: since };',
		},
		'A period that is over after the user has selected its type comes.': {
			find: 'const isSkipped = overMs < (periodsFrom[type] ?? nowMs);',
			replace: 'const isSkipped = overMs <= nowMs;',
		},
		'A customer is reminded of a parcel that arrived in the second of another scan, or on its day if the dates have no time.':
			{
				find: 'ms >= leftAt));',
				replace: 'ms > leftAt));',
			},
		'No customer is reminded of a parcel that has left the pickup point.': {
			find: 'ms !== -Infinity && ms >= leftAt));',
			replace: 'ms !== -Infinity));',
		},
		'A parcel that moves is not reported because its events look planned when they come.': {
			find: '[latestAt, elsewhereAt, readyAt].map',
			replace: '[latestAt].map',
		},
		'No customer is reminded of a parcel that was returned on the day of its arrival.': {
			find: 'Math.max(leftAt, ms + SECOND_MS);',
			replace: 'Math.max(leftAt, ms);',
		},
		'A shipment that is back at the sender is not reported because it does not move.': {
			find: "(type === 'noMovement' && isInFinalPlace) || ",
			replace: '',
		},
	},
	'schedule.ts': {
		'A delivery that the list says before the carrier comes soon.': {
			find: 'end || nowMs - endedAt >= ACTIVE_MS',
			replace: 'events.some(isEnd) || nowMs >= endedAt',
		},
		'The shipments of a month are requested evenly, and not all in the same poll.': {
			find: 'minutes - (position % minutes)',
			replace: 'minutes',
		},
		'A shipment with a planned delivery is not requested in every poll until then.': {
			find: 'const happened = withoutPlanned(events, nowMs);',
			replace: 'const happened = events;',
		},
		'A shipment on a page of the list that was not read this time is still watched.': {
			find: "if (listed === 'unlisted' || status === 'finished') return false;",
			replace: "if (listed !== 'inThisReading' || status === 'finished') return false;",
		},
		'Many refused numbers do not use up the requests of a poll.': {
			find: 'if (isAlone && aloneLeft-- <= 0) continue;',
			replace: '',
		},
		'More than a hundred shipments are requested in parts that the service accepts.': {
			find: 'return request && request.shipments.length < NUMBERS_PER_REQUEST ? request : undefined;',
			replace: 'return request;',
		},
		'Events that come up to three days after the delivery are not lost.': {
			find: 'const LATE_EVENTS_MS = 3 * DAY_MS;',
			replace: 'const LATE_EVENTS_MS = DAY_MS / 2;',
		},
		'Numbers that their carrier does not know yet are not requested in every poll.': {
			find: ": scheduleNext(shipment, 'moving', moment);",
			replace: ': undefined;',
		},
		'A clock that was ahead once does not keep shipments from being requested.': {
			find: 'if (nextRequestAt > atMs + LONGEST_PACE_MS) return true;\n',
			replace: '',
		},
	},
	'discover.ts': {
		'A shipment whose pieces have no numbers yet takes one request for its detail.': {
			find: 'for (const piece of await detail) details.set(piece.id, detail);',
			replace: 'details.delete(id);',
		},
		'The number of a canceled shipment is not read for ever.': {
			find: "status: hasEndedLongAgo(watched, budget.now()) ? 'finished' : watched.status,",
			replace: '',
		},
		'One piece without a detail of its own does not keep the others of its carrier from being watched.':
			{
				find: 'if (!isNotFound(failure)) failedCarriers.add(carrier);',
				replace: 'failedCarriers.add(carrier);',
			},
		'Events of all pieces come from a service that lists only main shipments unless told otherwise.':
			{
				find: 'return { onlyMaster: false, ...filters, createdFrom };',
				replace: 'return { ...filters, createdFrom };',
			},
	},
	'shipmentIndex.ts': {
		'Additional pieces are left out with Main Shipments Only, although the service ignores the filter.':
			{
				find: '.filter((record) => onlyMaster !== true || mainIdOf(record) === undefined)',
				replace: '',
			},
		'Main Shipments Only leaves out no shipment at a service that does not say which are the main ones.':
			{
				find: 'onlyMaster !== true || mainIdOf(record) === undefined',
				replace: 'onlyMaster !== true || (record as { isMaster?: unknown }).isMaster === true',
			},
		'Two pieces that get the same number do not emit each event twice.': {
			find: 'const key = shipmentKey(numbered);',
			replace: 'const key = number;',
		},
		'A shipment stays watched from one reading of the list to the next.': {
			find: "const listed = LISTED[LISTED.indexOf(row.listed) + 1] ?? 'unlisted';",
			replace: "const listed = 'unlisted';",
		},
		'A shipment that is missing once, while others move to other pages, stays watched.': {
			find: 'LISTED.indexOf(row.listed) + 1',
			replace: 'LISTED.indexOf(row.listed) + 2',
		},
		'An event of a piece has the ID of its shipment, also after a change of the credential.': {
			find: 'return { ...other, id, listed, mainId, nextRequestAt: undefined };',
			replace:
				'return { ...other, id, listed, mainId: mainId || other.mainId, nextRequestAt: undefined };',
		},
		'Two IDs with one number do not emit each event twice.': {
			find: "return { ...numbered, number: '', status: 'finished' };",
			replace: 'return numbered;',
		},
		'Shipments are watched at a service that does not say which of them it can track.': {
			find: 'record.trackable !== false && (',
			replace: 'record.trackable === true && (',
		},
		'Shipments are watched at a service whose list has no numbers of the carriers.': {
			find: "(!hasNumbers || carrierNumberOf(record) !== '')",
			replace: "carrierNumberOf(record) !== ''",
		},
		'A piece that had the number of another one by mistake has events with its own.': {
			find: "if (watched.number === '' && watched.status !== 'finished') return numbered;",
			replace: "if (watched.number === '') return numbered;",
		},
		'A new number of a shipment does not emit its old events again.': {
			find: '\t\t\t\tnewSince: this.restartAt(watched),\n',
			replace: '',
		},
		'The events of an order that is canceled and created again do not come with its canceled shipment.':
			{
				find: 'later.id > ended.id',
				replace: 'true',
			},
		'A reminder does not come for an order that is created again because it had been canceled long before.':
			{
				find: '\t\t\tnoMovementReported: latestAt,\n',
				replace: '',
			},
		'A cancellation that is reported only after the order was created again does not end the new shipment.':
			{
				find: '\t\t\townEndAfter: endedAt,\n',
				replace: '',
			},
		'An end under an earlier number of a shipment does not end it.': {
			find: '\t\t\t\townEndAfter: watched.latestAt,\n',
			replace: '',
		},
	},
	'host.ts': {
		'No event comes twice although an older poll ends during a newer one.': {
			find: 'if (memory.polling === context) delete memory.polling;',
			replace: 'delete memory.polling;',
		},
		'A short failure of the service does not keep a workflow from being published.': {
			find: "return context.getActivationMode() === 'activate' && !isTransient(failure);",
			replace: "return context.getActivationMode() === 'activate';",
		},
	},
	'nodeMemory.ts': {
		'No event comes twice because n8n also polls with the version before.': {
			find: 'return newestContext !== context;',
			replace: 'return newestContext === undefined;',
		},
		'A process that runs for months does not keep the state of triggers that were deleted.': {
			find: 'keepLatest(nodes, key, memory, MAX_NODES);',
			replace: 'nodes.set(key, memory);',
		},
		'A trigger polls on although its process has forgotten it.': {
			find: 'const { newestContext = context } = memoryOf(context);',
			replace: 'const { newestContext } = memoryOf(context);',
		},
	},
	'budget.ts': {
		'Polls send nothing during a pause that the service has asked for.': {
			find: 'return this.requests >= max || this.isLate(kept) || this.isHeldBack();',
			replace:
				'return this.requests >= max || this.isLate(kept) || (kept > 0 && this.isHeldBack());',
		},
	},
	'storage.ts': {
		'Existing events do not come again if the saved state is unreadable.': {
			find: "const startFrom = isUnreadable ? 'now' : watch.startFrom;",
			replace: 'const { startFrom } = watch;',
		},
		'No event comes twice because n8n is still saving the execution before.': {
			find: "return nowMs - last.savedAt < SAVING_TAKES_MS ? 'pending' : saved;",
			replace: 'return saved;',
		},
		'After a restart, the trigger goes on where it was.': {
			find: "const ofWorkflow: unknown = context.getWorkflowStaticData('global')[stateKey(context)];",
			replace:
				"const ofWorkflow: unknown = context.getWorkflowStaticData('node')[stateKey(context)];",
		},
		'No event is lost or repeated because n8n discards the poll of a version that was replaced.': {
			find: 'if (memory.polling !== context) return false;\n',
			replace: '',
		},
	},
	'poll.ts': {
		'The log of n8n says why no shipment has events.': {
			find: 'if (missing && !tracking.hasEventList)',
			replace: 'if (missing && tracking.hasEventList)',
		},
		'A carrier that is down does not fail the polls in which no others have anything to do.': {
			find: '!isStart && tracking.hasCarriersNotDue && isTransient(failure);',
			replace: 'false as boolean;',
		},
		'While a service gives no events, what is read of its list is kept.': {
			find: 'if (mustThrow && loaded.isStart) throw failure;',
			replace: 'if (mustThrow) throw failure;',
		},
		'A workflow that cannot reach the service does not begin to watch.': {
			find: 'if (mustThrow && loaded.isStart) throw failure;',
			replace: '',
		},
		'The end of a period comes although the service gives no events.': {
			find: 'if (mustThrow && items.length === 0) throw failure;',
			replace: 'if (mustThrow) throw failure;',
		},
	},
	'track.ts': {
		'A request that times out again and again does not keep others of its carrier from being sent.':
			{
				find: 'return void this.skipped.push(...shipments);',
				replace: 'return void this.failed.push(...shipments);',
			},
		'A row that says nothing does not make old events new.': {
			find: 'row.events === null && row.statusCode === undefined;',
			replace: 'row.events === undefined;',
		},
		'A service that always fails gets few more requests.': {
			find: '(this.splitInVainAt.get(carrier) ?? -Infinity)) >= SPLIT_AGAIN_MS;',
			replace: '(this.splitInVainAt.get(carrier) ?? -Infinity)) >= 0;',
		},
		'Many numbers that make a service fail delay the others by few polls.': {
			find: 'const isInVain = answered.length === 0 && all.some(isStatus500);',
			replace: 'const isInVain = all.some(isStatus500);',
		},
		'A poll with too few requests does not keep the next one from finding the number that makes the service fail.':
			{
				find: 'isInVain && !budget.isSpent()',
				replace: 'isInVain',
			},
		'A shipment that has ended is not requested for ever if the service does not know it any more.':
			{
				find: 'const isFinished = hasEndedLongAgo(before, this.comparison.nowMs);',
				replace: 'const isFinished = false;',
			},
		'An event that main shipment and piece have in their first responses comes once.': {
			find: 'if (Array.isArray(events)) this.withOwnEvents.add(',
			replace: 'if (!Array.isArray(events)) this.withOwnEvents.add(',
		},
		'An event of a piece comes once, although nothing says which its main shipment is.': {
			find: 'isMainUnknown(piece.mainId) ? likelyMainOf(this.shipments, piece) : undefined;',
			replace: 'undefined as WatchedShipment | undefined;',
		},
		'Refused shipment numbers do not delay those that come after them.': {
			find: "this.updateWithoutEvents(shipment, 'refused', nextRequestAt);",
			replace: "this.updateWithoutEvents(shipment, 'usual', undefined);",
		},
		'Many refused shipment numbers do not keep the others of their request from being found.': {
			find: 'this.failed.unshift(shipment);',
			replace: 'this.failed.push(shipment);',
		},
		'A carrier that refuses everything for a while has its shipments checked right afterwards.': {
			find: 'if (isUsual && !this.hasResponded(shipment.carrier)) {',
			replace: 'if (isUsual && !this.hasResponded(shipment.carrier) && !isRefusal(failure)) {',
		},
		'The log names a refused number only if its carrier responds to others.': {
			find: '\t\t\t\treturn false;\n',
			replace: '\t\t\t\treturn true;\n',
		},
		'Events of a piece that cannot be tracked come under its main shipment.': {
			find: 'const tracked = shipments.filter(({ newSince }) => newSince === undefined);',
			replace: 'const tracked = shipments;',
		},
		'A shipment whose request failed is requested again by the next poll.': {
			find: '...skipped, ...failed, ...updated.values()]',
			replace: '...skipped, ...updated.values()]',
		},
	},
	'knownRecords.ts': {
		'The detail of a shipment is not read only because its recipient has no name.': {
			find: "(recipientOf(record) ?? recipientPart(record, 'Name')) !== undefined",
			replace: 'recipientOf(record) !== undefined',
		},
		'A record without a phone field is completed by the detail.': {
			find: "recipientPart(record, 'Phone') !== undefined",
			replace: 'true',
		},
		'Pieces get their numbers from a service that writes IDs as texts.': {
			find: '({ ...piece, id: Number(piece.id) })',
			replace: '({ ...piece })',
		},
	},
	'output.ts': {
		'An event of a piece has the ID of its shipment.': {
			find: 'shipmentId: detailIdOf(result.shipment) || null,',
			replace: 'shipmentId: id || null,',
		},
		'A later node that changes one event does not change the others.': {
			find: '...deepCopy(fields.get(shipmentKey(each.shipment)))',
			replace: '...fields.get(shipmentKey(each.shipment))',
		},
		"An item has the carrier of the shipment, and the carrier's own code of the event.": {
			find: 'eventCarrierCode: carrierCode ?? null,',
			replace: 'carrierCode: carrierCode ?? null,',
		},
	},
	'accountTimezone.ts': {
		'Dates are read in the timezone of the account soon after the user has corrected the password.':
			{
				find: 'if (!isMissingEndpoint(failure)) {',
				replace: 'if ((failure as { facts: { isTransient?: boolean } }).facts.isTransient) {',
			},
		'Dates are read in the timezone of the account, not of n8n.': {
			find: 'return { ...watch, timezone: timezone ?? watch.timezone, isTimezonePending: false };',
			replace: 'return watch;',
		},
	},
});
