import { defectsIn } from '../defect';

export const trackingDefects = defectsIn('nodes/ParcelShipping/tracking/', {
	'events.ts': [
		{
			promise: 'The customer is not told that a parcel at the pickup point was delivered.',
			find: "['DeliveredPickup', 101, 'readyForPickup']",
			replace: "['DeliveredPickup', 101, 'delivered']",
		},
		{
			promise: 'A delivery back to the sender does not count as a delivery.',
			find: "if (group === 'returning' || group === 'returned') return group;\n",
			replace: '',
		},
		{
			promise: 'An event comes once, although the carrier corrects its text.',
			find: 'const parts = [carrier, number, date, code, category, item, carrierCode, type];',
			replace:
				'const parts = [carrier, number, date, code, category, item, carrierCode, type, event.name];',
		},
		{
			promise: 'No event comes again if the service begins to write its dates in another way.',
			find: 'const date = normalizeDate(event.date, timezone);',
			replace: 'const { date } = event;',
		},
	],
	'compare.ts': [
		{
			promise: 'An event that a response repeats has its first text.',
			find: 'if (!marks.has(markOf(eventId)) && !unknown.has(eventId)) unknown.set(eventId, event);',
			replace: 'if (!marks.has(markOf(eventId))) unknown.set(eventId, event);',
		},
		{
			promise: 'An event that one response leaves out does not come again.',
			find: "const known = [before.known, ...[...unknown.keys()].map(markOf)].join('');",
			replace:
				"const known = [...new Set(events.map((event) => markOf(eventIdOf(before.carrier, before.number, event, timezone))))].join('');",
		},
		{
			promise: 'Publishing a workflow does not start it with events that already exist.',
			find: 'const isNew = (event: TrackingEvent) => !isBaseline && (areAllNew || isRecent(event));',
			replace: 'const isNew = (event: TrackingEvent) => areAllNew || isRecent(event);',
		},
		{
			promise: 'Events that come up to three days after the delivery are not lost.',
			find: 'const LATE_EVENTS_MS = 72 * 3_600_000;',
			replace: 'const LATE_EVENTS_MS = 12 * 3_600_000;',
		},
	],
	'dates.ts': [
		{
			promise: 'A date in the night of a clock change means the same moment on every server.',
			find: 'return first < second ? first : second;',
			replace: 'return first < second ? second : first;',
		},
	],
	'flags.ts': [
		{
			promise: 'A carrier that reports a delivery twice causes one message to the customer.',
			find: '\t\tgroups |= groupBit(found.event);\n',
			replace: '',
		},
	],
	'periods.ts': [
		{
			promise: "'Waiting for Pickup' comes once.",
			find: "type === 'noMovement' ? { isQuietReported: true } : { isWaitReported: true }",
			replace: '{ isQuietReported: true }',
		},
		{
			promise: 'No customer is reminded of a parcel that has left the pickup point.',
			find: 'const isWaiting = known !== undefined && leftAt < known;',
			replace: 'const isWaiting = known !== undefined;',
		},
	],
	'select.ts': [
		{
			promise: 'A shipment on a page of the list that was not read this time is still watched.',
			find: "if (listed === 'no' || isFinished) return false;",
			replace: "if (listed !== 'now' || isFinished) return false;",
		},
		{
			promise: 'Many refused numbers do not use up the requests of a poll.',
			find: 'if (refusedLeft-- > 0) batches.push({ carrier, shipments: [shipment] });',
			replace: 'batches.push({ carrier, shipments: [shipment] });',
		},
		{
			promise: 'More than a hundred shipments are requested in parts that the service accepts.',
			find: '} else if (batch && batch.shipments.length < NUMBERS_PER_REQUEST) {',
			replace: '} else if (batch) {',
		},
	],
	'discover.ts': [
		{
			promise: 'A shipment stays watched from one reading of the list to the next.',
			find: "listed: row.listed === 'now' ? 'before' : 'no'",
			replace: "listed: 'no'",
		},
		{
			promise: 'Two IDs with one number do not emit each event twice.',
			find: 'return isDuplicate ? { ...rest, isFinished: true } : { ...rest, number };',
			replace: 'return { ...rest, number };',
		},
		{
			promise: 'Shipments are watched at a service that does not say which of them it can track.',
			find: 'isUntrackable: record.trackable === false,',
			replace: 'isUntrackable: record.trackable !== true,',
		},
		{
			promise: 'Shipments are watched at a service whose list has no numbers of the carriers.',
			find: "awaitsNumber: hasNumbers && carrierNumberOf(record) === '',",
			replace: "awaitsNumber: carrierNumberOf(record) === '',",
		},
		{
			promise:
				'One piece without a detail of its own does not keep the others of its carrier from being watched.',
			find: 'if (!isNotFound(failure)) failedCarriers.add(carrier);',
			replace: 'failedCarriers.add(carrier);',
		},
		{
			promise:
				'Events of all pieces come from a service that lists only main shipments unless told otherwise.',
			find: 'const filters = { onlyMaster: false, ...selection.filters, createdFrom };',
			replace: 'const filters = { ...selection.filters, createdFrom };',
		},
		{
			promise: 'A new number of a shipment does not emit its old events again.',
			find: "changed = { ...rest, known: '', newSince: this.nowMs, isFinished: false };",
			replace: "changed = { ...rest, known: '', isFinished: false };",
		},
	],
	'host.ts': [
		{
			promise: 'No event comes twice although an older poll ends during a newer one.',
			find: 'if (memory.polling === context) delete memory.polling;',
			replace: 'delete memory.polling;',
		},
		{
			promise: 'No event comes twice because n8n also polls with the version before.',
			find: 'return positions.get(context) !== memoryOf(context).contexts;',
			replace: 'return positions.get(context) === undefined;',
		},
		{
			promise: 'A short failure of the service does not keep a workflow from being published.',
			find: "return context.getActivationMode() === 'activate' && !isTransient;",
			replace: "return context.getActivationMode() === 'activate';",
		},
		{
			promise: 'Polls send nothing during a pause that the service has asked for.',
			find: 'return this.requests >= max || this.isLate(kept) || this.isHeldBack();',
			replace:
				'return this.requests >= max || this.isLate(kept) || (kept > 0 && this.isHeldBack());',
		},
	],
	'storage.ts': [
		{
			promise: 'No event comes twice because n8n is still saving the execution before.',
			find: "return nowMs - last.savedAt < SAVING_TAKES_MS ? 'pending' : saved;",
			replace: 'return saved;',
			noticedBy: 'trigger',
		},
		{
			promise: 'After a restart, the trigger goes on where it was.',
			find: "const ofWorkflow: unknown = context.getWorkflowStaticData('global')[keyOf(context)];",
			replace: "const ofWorkflow: unknown = context.getWorkflowStaticData('node')[keyOf(context)];",
			noticedBy: 'trigger',
		},
		{
			promise:
				'No event is lost or repeated because n8n discards the poll of a version that was replaced.',
			find: 'if (!isCurrent()) return false;\n',
			replace: '',
			noticedBy: 'trigger',
		},
	],
	'poll.ts': [
		{
			promise: 'A shipment whose request failed is requested again by the next poll.',
			find: 'shipments: [...unrequested, ...failed, ...updated.values()],',
			replace: 'shipments: [...unrequested, ...updated.values()],',
			noticedBy: 'trigger',
		},
		{
			promise: "'Emit All' emits every delivery that a carrier reports.",
			find: 'hasEventType(event, eventTypes) && (isFirstOfGroup || !isFirstOnly),',
			replace: 'hasEventType(event, eventTypes) && isFirstOfGroup,',
			noticedBy: 'trigger',
		},
	],
	'output.ts': [
		{
			promise: 'An event of a piece has the ID of its shipment.',
			find: 'shipmentId: mainId || id || null,',
			replace: 'shipmentId: id || null,',
		},
		{
			promise: 'A later node that changes one event does not change the others.',
			find: '...deepCopy(fields.get(keyOf(found.shipment)))',
			replace: '...fields.get(keyOf(found.shipment))',
		},
		{
			promise: "An item has the carrier of the shipment, and the carrier's own code of the event.",
			find: 'eventCarrierCode: carrierCode ?? null,',
			replace: 'carrierCode: carrierCode ?? null,',
		},
	],
	'state.ts': [
		{
			promise: 'Another account does not continue with the shipments of the one before.',
			find: 'if (state.account !== watch.account) return createState(watch, nowMs);\n',
			replace: '',
		},
		{
			promise:
				'A shipment that was missing from the list for a while does not emit its events again.',
			find: ': firstSeenDay + selection.createdWithinDays + 2 >= today,',
			replace: ": listed !== 'no' && firstSeenDay + selection.createdWithinDays + 2 >= today,",
		},
	],
});
