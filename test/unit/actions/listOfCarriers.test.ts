import { listOfCarriers } from '../../../nodes/ParcelShipping/actions/listOfCarriers';
import { clientOf, responseOf } from '../../support/respondingClient';

/** The IDs of the first `limit` records of ANT. Every third record is of ANT, unless the service filters. */
async function idsUpTo(limit: number, filters: boolean, count = 500) {
	const all = Array.from({ length: count }, (_, id) => {
		return { id, carrierCode: id % 3 === 0 ? 'ant' : 'BEAVER' };
	}).filter(({ carrierCode }) => !filters || carrierCode === 'ant');
	const { client, requests } = clientOf(({ body = '{}' }) => {
		const { start, length } = JSON.parse(body) as { start: number; length: number };
		const data = all.slice(start, start + length);
		return responseOf(200, { result: { data, total: all.length } });
	});
	const found = await listOfCarriers(client, 'findHandOvers', {}, limit, ['ANT']);
	return { ids: found.map(({ id }) => id), requests: requests.length };
}

test('a list of a carrier has no records of others, also if the service ignores the filter', async () => {
	expect((await idsUpTo(3, false)).ids).toEqual([0, 3, 6]);
	expect((await idsUpTo(Infinity, false)).ids).toHaveLength(167);
	expect((await idsUpTo(200, false, 30)).ids).toHaveLength(10);
	expect(await idsUpTo(3, true)).toEqual({ ids: [0, 3, 6], requests: 1 });
});
