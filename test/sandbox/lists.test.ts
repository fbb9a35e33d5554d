import { stillClock, useSandbox } from './client';

// 00:30 on March 2 in Prague, but still March 1 in UTC.
const service = useSandbox({ clock: stillClock('2026-03-01T23:30:00Z') });

const seed = (fields: object = {}, count = 1) => service.sandbox.seedShipments(count, fields);

async function find(filters: object) {
	const { data } = await service.client.post('/Package/Find', filters);
	const records = data.result.data as Array<{ packageNumberCustom: string }>;
	const references = records.map(({ packageNumberCustom }) => packageNumberCustom);
	return { total: data.result.total as number, references };
}

test('shipments are listed newest first, in pages of at most 100', async () => {
	seed({ hoursAgo: 10, spreadHours: 5 }, 250);
	const first = await find({ start: 0, length: 100 });
	expect(first.total).toBe(250);
	expect(first.references.slice(0, 2)).toEqual(['SEED-250', 'SEED-249']);
	const { references } = await find({ start: 200, length: 100 });
	expect([references.length, references.at(-1)]).toEqual([50, 'SEED-1']);
	expect((await find({ start: 250, length: 100 })).references).toEqual([]);
	const tooLong = await service.client.post('/Package/Find', { start: 0, length: 101 });
	expect([tooLong.status, tooLong.data.message]).toEqual([400, expect.stringMatching(/100/)]);
});
