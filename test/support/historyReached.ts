import type { History } from './history';
import type { PollHost } from './poll';
import { Reached } from './reached';

/** What the trigger did in random histories. */
export const reachedByHistories = new Reached([
	'events emitted',
	'late event emitted',
	'event without a date emitted',
	'event of a further piece emitted',
	'events of several shipments in one poll',
	'No Movement emitted',
	'poll failed',
	'events emitted after a restart',
	'restart during a poll',
	'restart without the service',
	'workflow published again',
	'two polls at once',
	'shipment refused',
	'list of numbers',
	'shipment canceled',
	'shipment delivered',
]);

export function noteHistory(history: History, host: PollHost): void {
	const note = reachedByHistories.note.bind(reachedByHistories);
	const events = host.events.filter(({ type }) => type !== 'Trigger');
	const isDone = (...kinds: string[]) => history.steps.some(({ what }) => kinds.includes(what));
	note('events emitted', events.length > 0);
	note('late event emitted', hasLateEvent(host));
	note(
		'event without a date emitted',
		events.some(({ date }) => !date),
	);
	note(
		'event of a further piece emitted',
		events.some(({ pieceId, shipmentId }) => pieceId && pieceId !== shipmentId),
	);
	note(
		'events of several shipments in one poll',
		host.executions.some(
			(items) => new Set(items.map(({ json }) => json.packageNumberCarrier)).size > 1,
		),
	);
	note(
		'No Movement emitted',
		host.events.some(({ category }) => category === 'NoMovement'),
	);
	note('poll failed', host.failures.length > 0);
	note(
		'events emitted after a restart',
		isDone('kill', 'killDuringTick', 'bootWithoutService') && events.length > 0,
	);
	note('restart during a poll', isDone('killDuringTick'));
	note('restart without the service', isDone('bootWithoutService'));
	note('workflow published again', isDone('republish', 'republishDuringTick'));
	note('two polls at once', isDone('overlappingTicks'));
	note('shipment refused', isDone('refuse', 'poison'));
	note('list of numbers', history.watch === 'list');
	note(
		'shipment canceled',
		events.some(({ canceled }) => canceled),
	);
	note(
		'shipment delivered',
		events.some(({ delivered }) => delivered),
	);
}

/** An event that is older than one that an earlier execution emitted for its shipment. */
function hasLateEvent({ executions }: PollHost): boolean {
	const latest = new Map<string, string>();
	for (const items of executions) {
		const own = items
			.map(({ json }) => json)
			.filter(({ type, date }) => type !== 'Trigger' && date);
		const isLate = own.some(
			({ packageNumberCarrier, dateTime }) =>
				String(dateTime) < (latest.get(String(packageNumberCarrier)) ?? ''),
		);
		if (isLate) return true;
		for (const { packageNumberCarrier, dateTime } of own) {
			const number = String(packageNumberCarrier);
			if (String(dateTime) > (latest.get(number) ?? '')) latest.set(number, String(dateTime));
		}
	}
	return false;
}
