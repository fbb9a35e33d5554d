import { hashSelection } from '../../nodes/ParcelShipping/tracking/watch';
import { watchOf } from '../support/watched';

test('the hash changes only with the selection of shipments', () => {
	const hash = hashSelection(watchOf());
	expect(hashSelection(watchOf({ eventTypes: ['delivered'], timezone: 'UTC' }))).toBe(hash);
	const selection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;
	expect(hashSelection(watchOf({ selection }))).not.toBe(hash);
});
