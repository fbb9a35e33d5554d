import { chooseByRules } from '../../../nodes/ParcelShipping/orders/readForm';

const locator = (value: string) => ({ __rl: true, mode: 'list', value });
const rule = (condition: string, text: string, service: string) => ({
	condition,
	text,
	carrierService: locator(service),
});
const rules = {
	rule: [
		rule('equals', 'Pickup', 'ANT/ANT-POINT'),
		rule('contains', 'kurýr', 'ANT/ANT-HOME'),
		rule('contains', 'kurýr', 'BEAVER/BEAVER-PARCEL'),
		{ condition: 'any', carrierService: 'CRANE/CRANE-EU' },
	],
};

test.each([
	['Pickup', 'ANT', 'ANT-POINT', 'Rule 1 (Equals "Pickup")'],
	['  PICKUP ', 'ANT', 'ANT-POINT', 'Rule 1 (Equals "Pickup")'],
	['Pickup tomorrow', 'CRANE', 'CRANE-EU', 'Rule 4 (Is Anything Else)'],
	['DPD Kurýr do ruky', 'ANT', 'ANT-HOME', 'Rule 2 (Contains "kurýr")'],
	['dpd  kuryr', 'ANT', 'ANT-HOME', 'Rule 2 (Contains "kurýr")'],
	[42, 'CRANE', 'CRANE-EU', 'Rule 4 (Is Anything Else)'],
])('the shipping method %j is shipped with %s %s', (method, carrierCode, serviceType, by) => {
	expect(chooseByRules(method, rules).choice).toEqual({ carrierCode, serviceType, rule: by });
});

test('a service code may contain a slash, a carrier code may not', () => {
	const { choice } = chooseByRules('a', { rule: [rule('any', '', 'ANT/HOME/24')] });
	expect(choice).toMatchObject({ carrierCode: 'ANT', serviceType: 'HOME/24' });
});

test('an order that no rule fits is refused with its method and the rules', () => {
	expect(chooseByRules('Drone', { rule: rules.rule.slice(0, 2) })).toMatchObject({
		problems: [
			{
				field: 'rules',
				message: 'No rule fits the shipping method "Drone"',
				expected: `a rule that fits it. There are: Rule 1 (Equals "Pickup"); Rule 2 (Contains "kurýr"). Change one, or add one for "Drone" or with the condition 'Is Anything Else'`,
			},
		],
	});
});

test.each([undefined, null, '', '  ', { title: 'Pickup' }, ['Pickup']])(
	'the shipping method %j is refused, although a rule is for anything else',
	(method) => {
		expect(chooseByRules(method, rules)).toMatchObject({ problems: [{ field: 'shippingMethod' }] });
	},
);

const NO_SERVICE = 'Rule 1 has no Carrier and Service';

test.each<[string, unknown, string[]]>([
	['no rules', {}, ['There are no rules']],
	['no text', { rule: [rule('contains', ' ', 'ANT/ANT-HOME')] }, ['Rule 1 has no Text']],
	['no service', [rule('any', '', '')], [NO_SERVICE]],
	['only a carrier', [rule('any', '', 'ANT')], [NO_SERVICE]],
	['an unknown condition', [rule('is', 'a', 'A/B')], ['Rule 1 has the unknown condition "is"']],
	['an empty row', [rule('contains', '', '')], ['Rule 1 has no Text', NO_SERVICE]],
])('rules with %s are refused', (_, given, messages) => {
	const { problems = [] } = chooseByRules('Pickup', given);
	expect(problems.map(({ message }) => message)).toEqual(messages);
});
