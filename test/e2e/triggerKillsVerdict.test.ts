import { judgeKills, type Kill } from './support/killVerdict';
import type { PollMode } from './support/killableN8n';
import type { Stored } from './support/n8nDatabase';

// Which differences the verdict attributes to n8n and which to the trigger. The names of events are
// single letters.

const response = (atMs: number, names: string) => ({ atMs, names: new Set(names) });

const stored = (savedAtMs: number, ...executions: string[]): Stored => ({
	savedAtMs,
	executions: executions.map((names, at) => ({
		id: String(at),
		status: 'success',
		names: [...names],
	})),
});

const killed = (responses: number, left: Stored): Kill => ({
	responses,
	afterResponseMs: 10,
	...left,
});

interface Case {
	mode?: PollMode;
	kills: Kill[];
	end: Stored;
}

/** Two responses before the kill and one after it, with the events a, then a and b, then all three. */
const judge = ({ mode = 'default', kills, end }: Case) =>
	judgeKills(
		mode,
		{
			since: ['a', 'b', 'c'],
			responses: [response(100, 'a'), response(200, 'ab'), response(300, 'abc')],
		},
		kills,
		end,
	);

const fine = { lost: [], doubled: [], unexpected: [], lostByN8n: [], doubledByN8n: [] };

test('there is no difference if each event is in one execution', () => {
	const kills = [killed(2, stored(205, 'a', 'b'))];
	expect(judge({ kills, end: stored(305, 'a', 'b', 'c') })).toMatchObject({ events: 3, ...fine });
});

describe('An event in no execution is the fault', () => {
	test('of n8n if it was killed after saving the state, before storing the execution', () => {
		const kills = [killed(2, stored(205, 'a'))];
		expect(judge({ kills, end: stored(305, 'a', 'c') })).toMatchObject({
			...fine,
			lostByN8n: ['b'],
			lossesAfterMs: [10],
		});
	});

	test.each<[string, Case, string]>([
		[
			'an earlier poll received it',
			{ kills: [killed(2, stored(205, 'b'))], end: stored(305, 'b', 'c') },
			'a',
		],
		[
			'its poll was not saved, so that the next poll had to emit it',
			{ kills: [killed(2, stored(105, 'a'))], end: stored(305, 'a', 'c') },
			'b',
		],
		[
			'n8n was not killed then',
			{ kills: [killed(1, stored(105, 'a'))], end: stored(305, 'a', 'c') },
			'b',
		],
		[
			'n8n stores both at once',
			{ mode: 'durable', kills: [killed(2, stored(205, 'a'))], end: stored(305, 'a', 'c') },
			'b',
		],
	])('of the trigger if %s', (_, given, name) => {
		expect(judge(given)).toMatchObject({ ...fine, lost: [name] });
	});
});

describe('An event in two executions is the fault', () => {
	test('of n8n if it was killed after storing the execution, before saving the state', () => {
		const kills = [killed(2, stored(105, 'a', 'b'))];
		expect(judge({ kills, end: stored(305, 'a', 'b', 'bc') })).toMatchObject({
			...fine,
			doubledByN8n: ['b'],
		});
	});

	test.each<[string, Case]>([
		[
			'the state was saved',
			{ kills: [killed(2, stored(205, 'a', 'b'))], end: stored(305, 'a', 'b', 'bc') },
		],
		[
			'it was stored twice before the kill',
			{ kills: [killed(2, stored(105, 'a', 'b', 'b'))], end: stored(305, 'a', 'b', 'b', 'c') },
		],
		['n8n was not killed then', { kills: [], end: stored(305, 'a', 'b', 'bc') }],
		[
			'n8n stores both at once',
			{
				mode: 'durable',
				kills: [killed(2, stored(105, 'a', 'b'))],
				end: stored(305, 'a', 'b', 'bc'),
			},
		],
	])('of the trigger if %s', (_, given) => {
		expect(judge(given)).toMatchObject({ ...fine, doubled: ['b'] });
	});
});

test('an event from before publishing is unexpected', () => {
	expect(judge({ kills: [], end: stored(305, 'z', 'a', 'b', 'c') })).toMatchObject({
		...fine,
		unexpected: ['z'],
	});
});

test('an event in an interrupted execution is not lost, even if n8n has deleted its data', () => {
	const interrupted = (...names: string[]) => ({ id: '1', status: 'crashed', names });
	const whole = {
		savedAtMs: 305,
		executions: [
			...stored(0, 'a').executions,
			interrupted('b'),
			{ ...interrupted('c'), id: '2', status: 'success' },
		],
	};
	const kills = [killed(2, stored(205, 'a', 'b'))];
	expect(judge({ kills, end: whole })).toMatchObject({ ...fine, interrupted: ['b'], deleted: [] });
	const deleted = {
		...whole,
		executions: whole.executions.map((each) => (each.id === '1' ? interrupted() : each)),
	};
	expect(judge({ kills, end: deleted })).toMatchObject({
		...fine,
		interrupted: ['b'],
		deleted: ['b'],
	});
});
