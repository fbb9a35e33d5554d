/** `action` is for captions that would read badly after "On shipment". */
type FormTexts = readonly [caption: string, description: string, action?: string];

export interface EventGroupRow {
	/** Its bit in saved states. It never changes, and a new row gets a new one. */
	bit: number;
	form: FormTexts;
	/** Where the shipment is after such an event, if it says that. */
	place?: 'final' | 'passing';
	/** The categories that services use, with their numbers. */
	categories: Readonly<Record<string, number | null>>;
}

/** The groups of the events that carriers report. "Recepient" is a service's own spelling. */
export const eventGroups = {
	canceled: {
		bit: 2,
		form: ['Canceled', 'The shipment was canceled'],
		place: 'final',
		categories: {
			Cancel: 10,
			Canceled: null,
			Cancelled: null,
			CancelRecepient: 11,
			CancelRecipient: null,
			CancelSender: 12,
			CancelCarrier: 13,
		},
	},
	created: {
		bit: 3,
		form: ['Created', 'The shipment was created or announced to the carrier'],
		categories: { Created: 0, Ordered: 1 },
	},
	delivered: {
		bit: 4,
		form: ['Delivered', 'The recipient has the shipment'],
		place: 'final',
		categories: { Delivered: 100, DeliveredAddress: 102 },
	},
	handedOver: {
		bit: 5,
		form: ['Handed Over', 'The carrier has the shipment'],
		place: 'passing',
		categories: { TransitPickup: 21, TransitCarrier: 23 },
	},
	inTransit: {
		bit: 6,
		form: ['In Transit', 'The shipment is on its way'],
		place: 'passing',
		categories: { Transit: 20, TransitOnTheWay: null },
	},
	problem: {
		bit: 7,
		form: ['Problem', 'The carrier reports a problem, such as a wrong address'],
		categories: {
			Error: 40,
			ErrorRecepient: 41,
			ErrorRecipient: null,
			ErrorSender: 42,
			ErrorCarrier: 43,
		},
	},
	readyForPickup: {
		bit: 8,
		form: ['Ready for Pickup', 'The recipient can pick up the shipment'],
		place: 'passing',
		// DeliveredPickup is the delivery to the pickup point. With the flag `delivered`, the recipient has it.
		categories: { TransitReady: 22, DeliveredPickup: 101 },
	},
	returned: {
		bit: 9,
		form: ['Returned', 'The sender has the shipment again'],
		place: 'final',
		categories: { DeliveredBack: 31 },
	},
	returning: {
		bit: 10,
		form: ['Returning', 'The shipment is on its way back to the sender'],
		place: 'passing',
		categories: { DeliveringBack: 30 },
	},
} as const satisfies Readonly<Record<string, EventGroupRow>>;

export interface PeriodRow extends Pick<EventGroupRow, 'bit' | 'form'> {
	/** The category of the event. No service has it. */
	category: string;
	/** What the event says before "for 5 days". */
	text: string;
	/** The field of the form for the days. */
	days: { displayName: string; name: string; default: number; description: string };
}

/** The events of the trigger itself: a period has lasted for some days. */
export const periodTypes = {
	noMovement: {
		bit: 0,
		form: [
			'No Movement',
			"The shipment has had no event for some days. Not part of 'All'.",
			'On no movement of shipment',
		],
		category: 'NoMovement',
		text: 'No event',
		days: {
			displayName: 'Days Without Movement',
			name: 'daysWithoutMovement',
			default: 5,
			description:
				'Starts the workflow after this many days without an event, once until the next event',
		},
	},
	waitingForPickup: {
		bit: 1,
		form: [
			'Waiting for Pickup',
			"The shipment has been ready for pickup for some days. Not part of 'All'.",
		],
		category: 'WaitingForPickup',
		text: 'Ready for pickup',
		days: {
			displayName: 'Days Waiting for Pickup',
			name: 'daysWaitingForPickup',
			default: 3,
			description:
				'Starts the workflow after this many days at the pickup point, once, if the shipment is still there',
		},
	},
} as const satisfies Readonly<Record<string, PeriodRow>>;

export type PeriodType = keyof typeof periodTypes;

export type EventGroup = keyof typeof eventGroups | PeriodType;

const rows: Readonly<Record<EventGroup, EventGroupRow | PeriodRow>> = {
	...eventGroups,
	...periodTypes,
};

const categories = Object.entries(rows).flatMap(([group, row]) => {
	const own = 'category' in row ? { [row.category]: null } : row.categories;
	return Object.entries(own).map(([name, code]) => {
		return { name: name.toLowerCase(), code, group: group as EventGroup };
	});
});

const groupByName = new Map(categories.map(({ name, group }) => [name, group]));
const coded = categories.filter(({ code }) => code !== null);
const nameByCode = new Map(coded.map(({ name, code }) => [String(code), name]));

/** The name of a category in lower case, also if the service sends its number. */
export function categoryNameOf(category: unknown): string {
	const isName = typeof category === 'string' || typeof category === 'number';
	const name = isName ? String(category).trim().toLowerCase() : '';
	return nameByCode.get(name) ?? name;
}

/** The group of an event. Its flags count more than its category, except for a return. */
export function eventGroupOf(event: {
	category?: unknown;
	delivered?: unknown;
	canceled?: unknown;
}): EventGroup | null {
	const group = groupByName.get(categoryNameOf(event.category)) ?? null;
	// A service may also flag a delivery back to the sender as delivered.
	if (group === 'returning' || group === 'returned') return group;
	if (event.delivered === true) return 'delivered';
	return event.canceled === true ? 'canceled' : group;
}

/** Where a shipment is after an event of the group. Problems and unknown categories do not say that. */
export function placeOf(group: EventGroup | null): EventGroupRow['place'] {
	const row = group && rows[group];
	return row && 'place' in row ? row.place : undefined;
}

/** Whether the user selected the event, by its group or its category. No types at all mean every event of a carrier. */
export function isSelected(event: { category?: unknown }, types: readonly string[]): boolean {
	const category = categoryNameOf(event.category);
	const group = eventGroupOf(event);
	const isPeriod = group !== null && group in periodTypes;
	if (types.length === 0) return !isPeriod;
	return types.some((type) => {
		const name = categoryNameOf(type);
		const isName = name === group?.toLowerCase() || (name !== '' && name === category);
		return isName || (name === 'all' && !isPeriod);
	});
}
