import type { Body, Problem } from '../../../nodes/ParcelShipping/orders/order';
import { chooseByRules as choose } from '../../../nodes/ParcelShipping/orders/rules';

type Rule = Record<string, unknown>;

const chooseByRules = (method: unknown, rules: Rule[], body: Body = {}) => {
	const problems: Problem[] = [];
	return { choice: choose(method, body, new Set(), rules, problems), problems };
};

const ruleFor = (service: string, text: string, more: object = {}) => ({
	...{ text, more },
	carrierService: { __rl: true, mode: 'list', value: service },
});

const byMethod = [
	ruleFor('ANT/ANT-HOME', 'kurýr'),
	ruleFor('BEAVER/BEAVER-PARCEL', 'kurýr'),
	ruleFor('ANT/HOME/24', 'Post/24'),
	ruleFor('CRANE/CRANE-EU', ''),
];

test.each([
	['DPD Kurýr do ruky', 'ANT', 'ANT-HOME', 'Rule 1 ("kurýr")'],
	['  dpd  KURYR ', 'ANT', 'ANT-HOME', 'Rule 1 ("kurýr")'],
	// A service code may contain a slash, a carrier code may not.
	['post/24', 'ANT', 'HOME/24', 'Rule 3 ("Post/24")'],
	['Drone', 'CRANE', 'CRANE-EU', 'Rule 4'],
])('the first rule that fits %j chooses %s %s', (method, carrierCode, serviceType, rule) => {
	expect(chooseByRules(method, byMethod).choice).toEqual({ carrierCode, serviceType, rule });
});

const asShops = [
	ruleFor('ANT/ANT-COD', '', {
		...{ cashOnDelivery: true, countries: 'Czechia, sk', maxValue: 5000 },
	}),
	ruleFor('SNAIL/PALLET', ' ', { minWeight: 30 }),
	ruleFor('ANT/ANT-POINT', 'point', { countries: 'CZ', maxWeight: '5' }),
	ruleFor('CRANE/CRANE-EU', '', { cashOnDelivery: false }),
];

test.each<[string, Body, string, string]>([
	['COD', { cod: true }, 'ANT-COD', 'Rule 1'],
	['a heavy parcel', { weight: 30 }, 'PALLET', 'Rule 2'],
	['a light parcel to a point', { weight: 5 }, 'ANT-POINT', 'Rule 3 ("point")'],
	['a parcel to another country', { weight: 5, recCountry: 'DE' }, 'CRANE-EU', 'Rule 4'],
	['a parcel that is too heavy', { weight: 5.1 }, 'CRANE-EU', 'Rule 4'],
])('by rules as in shops, %s gets its service', (_, more, serviceType, rule) => {
	const { choice } = chooseByRules('Point', asShops, { recCountry: 'CZ', price: 1200, ...more });
	expect(choice).toMatchObject({ serviceType, rule });
});

test('an order that no rule fits is named with its method and the rules', () => {
	expect(chooseByRules('Drone', byMethod.slice(0, 1))).toEqual({
		choice: undefined,
		problems: [
			{
				...{ field: 'rules', caption: 'Carrier Rules' },
				message: 'No rule fits the shipping method "Drone"',
				expected: `a rule that fits it. There are: Rule 1 ("kurýr"). Change one, or choose 'Carrier and Service' for all other orders`,
			},
		],
	});
});

// No later rule is tried, because the earlier one may fit.
test.each<[asked: string, method: unknown, body: Body, advice: string]>([
	['weight', 'Post', { recCountry: 'CZ', price: 1 }, "option 'Default Weight'"],
	['shippingMethod', { title: 'x' }, { recCountry: 'CZ', weight: 1 }, 'because Rule 3 asks'],
	['shippingMethod', '  ', { recCountry: 'CZ', weight: 1 }, 'because Rule 3 asks'],
])(
	'an order without the %s that a rule asks for is refused (%j)',
	(field, method, body, advice) => {
		const { problems, choice } = chooseByRules(method, asShops, body);
		expect(choice).toBeUndefined();
		expect(problems).toMatchObject([{ field, expected: expect.stringContaining(advice) }]);
	},
);

test('an order without a shipping method is shipped by a rule that does not ask for it', () => {
	const rules = [ruleFor('A/HOME', '', { countries: 'SK' }), ruleFor('A/POINT', 'Packeta')];
	const { choice, problems } = chooseByRules(' ', rules, { recCountry: 'SK' });
	expect([choice?.serviceType, problems]).toEqual(['HOME', []]);
});

test.each([
	[ruleFor('ANT', ''), 'has no Carrier and Service'],
	[ruleFor('A/B', '', { countries: 'Narnia' }), 'has an invalid Countries: "Narnia"'],
	[ruleFor('A/B', '', { countries: ' ' }), 'has an invalid Countries: " "'],
	[ruleFor('A/B', '', { maxWeight: 'five' }), 'has an invalid Weight Up To: "five"'],
	[ruleFor('A/B', '', { cashOnDelivery: '?' }), 'has an invalid Cash on Delivery: "?"'],
])('the rule %j is refused, because it %s', (rule, why) => {
	const problem = { field: 'rules', message: `Rule 1 ${why}` };
	expect(chooseByRules('Pickup', [rule]).problems).toMatchObject([problem]);
});
