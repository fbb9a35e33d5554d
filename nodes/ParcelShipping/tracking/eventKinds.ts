import type { TrackingEvent } from '../transport/contract';

/** Whether the user asked for this kind of event. An empty choice means all, as `all` does. */
export function isWanted(event: Partial<TrackingEvent>, kinds: readonly string[]): boolean {
	if (kinds.length === 0) return true;
	const category = String(event.category ?? '').toLowerCase();
	return kinds.some((kind) => {
		switch (kind) {
			case 'all':
				return true;
			case 'delivered':
				return event.delivered === true;
			case 'canceled':
				return event.canceled === true;
			default:
				return kind.toLowerCase() === category;
		}
	});
}
