import { readFields } from '../../../nodes/ParcelShipping/orders/validate';

const read = (given: Record<string, unknown>) =>
	readFields(given, { cleanUp: false, phonePrefix: 'none', codMethods: '' });

test.each<[string, Record<string, unknown>, string | undefined]>([
	['first and last name', { recFirstName: 'Jana', recLastName: 'Nováková' }, 'Jana Nováková'],
	['surrounding spaces', { recFirstName: ' Jana ', recLastName: 'Nováková ' }, 'Jana Nováková'],
	['only a last name', { recFirstName: '', recLastName: 'Nováková' }, 'Nováková'],
	['neither', { recFirstName: null, recLastName: '  ' }, undefined],
	[
		'the same full name',
		{ recName: 'Jana Nováková', recFirstName: 'Jana', recLastName: 'Nováková' },
		'Jana Nováková',
	],
	[
		'a full name in another order',
		{ recName: 'NOVÁKOVÁ Jana', recFirstName: 'Jana', recLastName: 'Nováková' },
		'NOVÁKOVÁ Jana',
	],
	[
		'a full name with a title',
		{ recName: 'Ing. Jana Nováková', recLastName: 'Nováková' },
		'Ing. Jana Nováková',
	],
])('The name of the recipient is made from %s', (_, given, name) => {
	const { body, problems } = read(given);
	expect(problems).toEqual([]);
	expect(body).toEqual(name === undefined ? {} : { recName: name });
});

test('the names of recipient and sender are joined, and reported with what was given', () => {
	const given = { recFirstName: 'Jana', recLastName: 'Nováková', senderLastName: 'Svoboda' };
	const { body, cleaned } = read(given);
	expect(body).toEqual({ recName: 'Jana Nováková', senderName: 'Svoboda' });
	expect(cleaned).toEqual({
		recName: [['Jana', 'Nováková'], 'Jana Nováková'],
		senderName: [['Svoboda'], 'Svoboda'],
	});
	expect(given).toHaveProperty('recFirstName');
});

test('a full name that is another person than first and last name is refused', () => {
	const given = { recName: 'Petr Svoboda', recFirstName: 'Jana', recLastName: 'Nováková' };
	expect(read(given).problems).toEqual([
		{
			field: 'recName',
			caption: 'Recipient Name',
			found: `"Petr Svoboda", but 'Recipient First Name' and 'Recipient Last Name' are "Jana Nováková"`,
			expected:
				"the same name as in 'Recipient First Name' and 'Recipient Last Name', or only one of them",
			message: `Recipient Name is "Petr Svoboda", but 'Recipient First Name' and 'Recipient Last Name' are "Jana Nováková"`,
		},
	]);
});

test('a first name that is not text is refused', () => {
	const [problem] = read({
		recFirstName: { first: 'Jana' },
		recLastName: 'Nováková',
	}).problems;
	expect(problem?.message).toBe('Invalid Recipient First Name: {"first":"Jana"}');
});
