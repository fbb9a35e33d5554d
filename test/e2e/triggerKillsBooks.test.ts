import { compare, type Kill } from './support/killBooks';
import type { PollMode } from './support/killableN8n';
import type { Stored } from './support/storedByN8n';

// What the verdict on the kills excuses, and what it must not. Events are named by single letters.

const answer = (atMs: number, names: string) => ({ atMs, names: new Set(names) });

const stored = (savedAtMs: number, ...executions: string[]): Stored => ({
	savedAtMs,
	executions: executions.map((names, at) => ({
		id: String(at),
		status: 'success',
		names: [...names],
	})),
});

const killed = (answers: number, left: Stored): Kill => ({ answers, afterAnswerMs: 10, ...left });

interface Course {
	mode?: PollMode;
	kills: Kill[];
	end: Stored;
}

/** Two answers before the kill and one after it: the first shows a, the second b as well, the third c. */
const judge = ({ mode = 'default', kills, end }: Course) =>
	compare(
		mode,
		{ since: ['a', 'b', 'c'], answers: [answer(100, 'a'), answer(200, 'ab'), answer(300, 'abc')] },
		kills,
		end,
	);

const fine = { lost: [], doubled: [], strange: [], lostByN8n: [], doubledByN8n: [] };

test('nothing is said where each event is in one execution', () => {
	const kills = [killed(2, stored(205, 'a', 'b'))];
	expect(judge({ kills, end: stored(305, 'a', 'b', 'c') })).toMatchObject({ events: 3, ...fine });
});

describe('An event in no execution', () => {
	test('is laid to n8n when a kill fell between the saved state and the execution', () => {
		const kills = [killed(2, stored(205, 'a'))];
		expect(judge({ kills, end: stored(305, 'a', 'c') })).toMatchObject({
			...fine,
			lostByN8n: ['b'],
			lossesAfterMs: [10],
		});
	});

	test.each<[string, Course, string]>([
		[
			'it was shown by a poll before the last one',
			{ kills: [killed(2, stored(205, 'b'))], end: stored(305, 'b', 'c') },
			'a',
		],
		[
			'its poll was not saved, so that the next one had to bring it',
			{ kills: [killed(2, stored(105, 'a'))], end: stored(305, 'a', 'c') },
			'b',
		],
		[
			'nobody killed n8n then',
			{ kills: [killed(1, stored(105, 'a'))], end: stored(305, 'a', 'c') },
			'b',
		],
		[
			'n8n stores both at once',
			{ mode: 'durable', kills: [killed(2, stored(205, 'a'))], end: stored(305, 'a', 'c') },
			'b',
		],
	])('is laid to the trigger when %s', (_, course, name) => {
		expect(judge(course)).toMatchObject({ ...fine, lost: [name] });
	});
});

describe('An event in two executions', () => {
	test('is laid to n8n when a kill fell between the execution and the saved state', () => {
		const kills = [killed(2, stored(105, 'a', 'b'))];
		expect(judge({ kills, end: stored(305, 'a', 'b', 'bc') })).toMatchObject({
			...fine,
			doubledByN8n: ['b'],
		});
	});

	test.each<[string, Course]>([
		[
			'the state was saved',
			{ kills: [killed(2, stored(205, 'a', 'b'))], end: stored(305, 'a', 'b', 'bc') },
		],
		[
			'it came twice before the kill',
			{ kills: [killed(2, stored(105, 'a', 'b', 'b'))], end: stored(305, 'a', 'b', 'b', 'c') },
		],
		['nobody killed n8n then', { kills: [], end: stored(305, 'a', 'b', 'bc') }],
		[
			'n8n stores both at once',
			{
				mode: 'durable',
				kills: [killed(2, stored(105, 'a', 'b'))],
				end: stored(305, 'a', 'b', 'bc'),
			},
		],
	])('is laid to the trigger when %s', (_, course) => {
		expect(judge(course)).toMatchObject({ ...fine, doubled: ['b'] });
	});
});

test('an event from before publishing is strange', () => {
	expect(judge({ kills: [], end: stored(305, 'z', 'a', 'b', 'c') })).toMatchObject({
		...fine,
		strange: ['z'],
	});
});

test('an event whose execution a kill has cut off is in it all the same, unless n8n has emptied it', () => {
	const cut = (...names: string[]) => ({ id: '1', status: 'crashed', names });
	const whole = {
		savedAtMs: 305,
		executions: [
			...stored(0, 'a').executions,
			cut('b'),
			{ ...cut('c'), id: '2', status: 'success' },
		],
	};
	const kills = [killed(2, stored(205, 'a', 'b'))];
	expect(judge({ kills, end: whole })).toMatchObject({ ...fine, cutOff: ['b'], emptied: [] });
	const emptied = {
		...whole,
		executions: whole.executions.map((each) => (each.id === '1' ? cut() : each)),
	};
	expect(judge({ kills, end: emptied })).toMatchObject({ ...fine, cutOff: ['b'], emptied: ['b'] });
});
