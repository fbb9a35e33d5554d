import { chooseByRules } from '../../../nodes/ParcelShipping/orders/readForm';

const rule = (condition: string, text: string, carrierService: unknown) => ({
	condition,
	text,
	carrierService,
});
const locator = (value: string) => ({ __rl: true, mode: 'list', value });
const rules = {
	rule: [
		rule('equals', 'Pickup', locator('ANT/ANT-POINT')),
		rule('contains', 'kurýr', locator('ANT/ANT-HOME')),
		rule('contains', 'kurýr', locator('BEAVER/BEAVER-PARCEL')),
		rule('any', '', 'CRANE/CRANE-EU'),
	],
};
const chosen = (method: unknown, given: unknown = rules) => {
	const { choice, problems } = chooseByRules(method, given);
	return choice ?? problems.map(({ message }) => message);
};

test.each([
	['Pickup', 'ANT', 'ANT-POINT', 'Rule 1 (Equals "Pickup")'],
	['  PICKUP ', 'ANT', 'ANT-POINT', 'Rule 1 (Equals "Pickup")'],
	['Pickup tomorrow', 'CRANE', 'CRANE-EU', 'Rule 4 (Is Anything Else)'],
	['DPD Kurýr do ruky', 'ANT', 'ANT-HOME', 'Rule 2 (Contains "kurýr")'],
	['dpd  kuryr', 'ANT', 'ANT-HOME', 'Rule 2 (Contains "kurýr")'],
	[42, 'CRANE', 'CRANE-EU', 'Rule 4 (Is Anything Else)'],
])('the shipping method %j is shipped with %s %s', (method, carrierCode, serviceType, by) => {
	expect(chosen(method)).toEqual({ carrierCode, serviceType, rule: by });
});

test('a service code may contain a slash, a carrier code may not', () => {
	expect(chosen('a', { rule: [rule('any', '', 'ANT/HOME/24')] })).toMatchObject({
		carrierCode: 'ANT',
		serviceType: 'HOME/24',
	});
});

test('an order that no rule fits is refused with its method and the rules', () => {
	const result = chooseByRules('Drone', { rule: rules.rule.slice(0, 2) });
	expect(result).toEqual({
		problems: [
			{
				field: 'rules',
				caption: 'Rules',
				found: 'No rule fits the shipping method "Drone"',
				message: 'No rule fits the shipping method "Drone"',
				expected: `a rule that fits it. There are: Rule 1 (Equals "Pickup"); Rule 2 (Contains "kurýr"). Change one, or add one for "Drone" or with the condition 'Is Anything Else'`,
			},
		],
	});
});

test.each([undefined, null, '', '  ', { title: 'Pickup' }, ['Pickup']])(
	'the shipping method %j is refused, although a rule is for anything else',
	(method) => {
		const result = chooseByRules(method, rules);
		expect(result).toMatchObject({ problems: [{ field: 'shippingMethod' }] });
	},
);

test.each<[string, unknown, string[]]>([
	['no rules', {}, ['There are no rules']],
	['no text', { rule: [rule('contains', ' ', 'ANT/ANT-HOME')] }, ['Rule 1 has no Text']],
	['no service', [rule('any', '', locator(''))], ['Rule 1 has no Carrier and Service']],
	['only a carrier', [rule('any', '', 'ANT')], ['Rule 1 has no Carrier and Service']],
	[
		'an unknown condition',
		[rule('starts', 'a', 'ANT/ANT-HOME')],
		['Rule 1 has the unknown condition "starts"'],
	],
	[
		'the row that a new form shows',
		{ rule: [rule('contains', '', locator(''))] },
		['Rule 1 has no Text', 'Rule 1 has no Carrier and Service'],
	],
])('rules with %s are refused', (_, given, messages) => {
	expect(chosen('Pickup', given)).toEqual(messages);
});
