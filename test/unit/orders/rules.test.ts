import {
	chooseByRules as choose,
	listRules,
	type OrderFacts,
} from '../../../nodes/ParcelShipping/orders/rules';

const chooseByRules = (shippingMethod: unknown, form: unknown, body: OrderFacts['body'] = {}) =>
	choose({ shippingMethod, body, unreadable: new Set() }, listRules(form));

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

test('the first rule that fits the shipping method chooses the carrier and the service', () => {
	const by = 'Rule 2 (Contains "kurýr")';
	const choice = { carrierCode: 'ANT', serviceType: 'ANT-HOME', rule: by };
	expect(chooseByRules('DPD Kurýr do ruky', rules)).toMatchObject({ choice });
});

test.each([
	['Pickup', 'ANT', 'ANT-POINT', 'Rule 1 (Equals "Pickup")'],
	['  PICKUP ', 'ANT', 'ANT-POINT', 'Rule 1 (Equals "Pickup")'],
	['Pickup tomorrow', 'CRANE', 'CRANE-EU', 'Rule 4 (Is Anything)'],
	['dpd  kuryr', 'ANT', 'ANT-HOME', 'Rule 2 (Contains "kurýr")'],
])('the shipping method %j is shipped with %s %s', (method, carrierCode, serviceType, by) => {
	expect(chooseByRules(method, rules).choice).toEqual({ carrierCode, serviceType, rule: by });
});

test('a service code may contain a slash, a carrier code may not', () => {
	const { choice } = chooseByRules('a', { rule: [rule('any', '', 'ANT/HOME/24')] });
	expect(choice).toMatchObject({ carrierCode: 'ANT', serviceType: 'HOME/24' });
});

test('an order that no rule fits is named with its method and the rules', () => {
	expect(chooseByRules('Drone', { rule: rules.rule.slice(0, 2) })).toMatchObject({
		problems: [],
		noneFits: {
			field: 'rules',
			message: 'No rule fits the shipping method "Drone"',
			expected: `a rule that fits it. There are: Rule 1 (Equals "Pickup"); Rule 2 (Contains "kurýr"). Change one, or choose 'Carrier and Service' for all other orders`,
		},
	});
});

test.each([undefined, '  ', { title: 'Pickup' }])(
	'the shipping method %j is refused, although a rule is for anything else',
	(method) => {
		expect(chooseByRules(method, rules)).toMatchObject({ problems: [{ field: 'shippingMethod' }] });
	},
);

const NO_SERVICE = 'Rule 1 has no Carrier and Service';

test.each<[string, unknown, string[]]>([
	['no service', { rule: rule('any', '', '') }, [NO_SERVICE]],
	['only a carrier', { rule: [rule('any', '', 'ANT')] }, [NO_SERVICE]],
	[
		'an unknown condition',
		{ rule: [rule('is', 'a', 'A/B')] },
		['Rule 1 has the unknown condition "is"'],
	],
])('rules with %s are refused', (_, given, messages) => {
	const { problems = [] } = chooseByRules('Pickup', given);
	expect(problems.map(({ message }) => message)).toEqual(messages);
});

/** A rule with more conditions than the shipping method. */
const ruleFor = (service: string, more: object, condition = 'any', text = '') => ({
	...{ condition, text, more, carrierService: service },
});
const asShops = {
	rule: [
		ruleFor('ANT/ANT-COD', { cashOnDelivery: true, countries: 'Czechia, sk', maxValue: 5000 }),
		// Without a text, as the form begins.
		ruleFor('SNAIL/PALLET', { minWeight: 30 }, 'contains', ' '),
		ruleFor('ANT/ANT-POINT', { countries: 'CZ', maxWeight: '5' }, 'contains', 'point'),
		ruleFor('CRANE/CRANE-EU', { cashOnDelivery: false }),
	],
};

test.each<[string, OrderFacts['body'], string, string]>([
	[
		'cash on delivery',
		{ cod: true },
		'ANT/ANT-COD',
		'Cash on Delivery, Countries CZ, SK, Value Up To 5000',
	],
	['a heavy parcel', { weight: 30 }, 'SNAIL/PALLET', 'Weight From 30'],
	[
		'a light parcel to a point',
		{ weight: 5 },
		'ANT/ANT-POINT',
		'Contains "point", Countries CZ, Weight Up To 5',
	],
	[
		'a parcel to another country',
		{ weight: 5, recCountry: 'DE' },
		'CRANE/CRANE-EU',
		'no Cash on Delivery',
	],
	['a parcel that is too heavy', { weight: 5.1 }, 'CRANE/CRANE-EU', 'no Cash on Delivery'],
])('by rules as in shops, %s gets its service', (_, more, service, described) => {
	const body = { recCountry: 'CZ', price: 1200, ...more };
	const [carrierCode, serviceType] = service.split('/');
	expect(chooseByRules('Pickup point', asShops, body).choice).toEqual({
		...{ carrierCode, serviceType },
		rule: expect.stringMatching(new RegExp(`^Rule \\d \\(${described}\\)$`)),
	});
});

test('a rule about the weight is not skipped for an order without a weight', () => {
	const { problems, choice } = chooseByRules('Post', asShops, { recCountry: 'CZ', price: 1 });
	expect(choice).toBeUndefined();
	expect(problems).toEqual([
		{
			...{ field: 'weight', caption: 'Weight', message: 'Weight is missing' },
			expected: "a value, because Rule 2 asks for it, or set the option 'Default Weight'",
		},
	]);
});

test('an order that no rule fits is named with what the rules ask for', () => {
	const body = { recCountry: 'DE', price: 9000, weight: 1, cod: true };
	expect(chooseByRules('Post', asShops, body).noneFits?.message).toBe(
		'No rule fits the shipping method "Post", the country DE, the weight 1, the value 9000, and cash on delivery',
	);
});

test.each<[OrderFacts['body'], unreadable: string[], facts: string]>([
	[{ recCountry: 'DE', cod: true }, [], 'the country DE and cash on delivery'],
	[{ recCountry: 'DE', weight: 9 }, ['cod'], 'the country DE and the weight 9'],
])('of an order that no rule fits, only what is known is named: %j', (body, unreadable, facts) => {
	const form = { rule: ruleFor('A/B', { countries: 'CZ', maxWeight: 5, cashOnDelivery: true }) };
	const order = { shippingMethod: '', body, unreadable: new Set(unreadable) };
	expect(choose(order, listRules(form)).noneFits?.message).toBe(`No rule fits ${facts}`);
});

test('a shipping method is only required if a rule asks for it', () => {
	const byCountry = { rule: [ruleFor('ANT/ANT-HOME', { countries: 'CZ' })] };
	expect(chooseByRules('', byCountry, { recCountry: 'CZ' }).choice).toMatchObject({
		serviceType: 'ANT-HOME',
	});
});

describe('An order without a shipping method', () => {
	const form = {
		rule: [
			ruleFor('ANT/ANT-HOME', { countries: 'SK' }),
			ruleFor('ANT/ANT-POINT', {}, 'contains', 'Packeta'),
		],
	};

	test('is shipped by a rule that does not ask for it', () => {
		const { choice, problems } = chooseByRules(' ', form, { recCountry: 'SK' });
		expect([choice?.serviceType, problems]).toEqual(['ANT-HOME', []]);
	});

	test('is refused by a rule that asks for it, after one that does not fit', () => {
		expect(chooseByRules(null, form, { recCountry: 'CZ' })).toEqual({
			problems: [
				{
					...{ field: 'shippingMethod', caption: 'Shipping Method' },
					message: 'Shipping Method is missing',
					expected: 'a value, because Rule 2 asks for it. Drag its text from the input',
				},
			],
		});
	});
});

test.each([
	['countries', 'Narnia'],
	['countries', ' '],
	['maxWeight', 'five'],
	['cashOnDelivery', 'maybe'],
])('the condition %s with %j is refused', (key, value) => {
	const rules = { rule: [ruleFor('ANT/ANT-HOME', { [key]: value })] };
	expect(chooseByRules('', rules).problems[0]?.message).toContain('Rule 1 has an invalid');
});
