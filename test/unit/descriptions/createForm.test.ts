import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	createFields,
	readCreationOptions,
} from '../../../nodes/ParcelShipping/descriptions/createForm';

test('without options, nothing ships twice, and nothing is guessed', () => {
	expect(readCreationOptions({})).toMatchObject({
		ifShipped: 'returnUnchanged',
		labels: 'none',
		dryRun: false,
	});
	expect(readCreationOptions({ ifShipped: 'return' }).ifShipped).toBe('return');
	// As an expression may give them.
	const { codMethods } = readCreationOptions({ codMethods: ['cod_card', 'courier'] });
	expect(codMethods).toBe('cod_card,courier');
});

test('a choice that the form does not have is refused, and no value means the default', () => {
	expect(() => readCreationOptions({ labels: 'paper' })).toThrow('Invalid Labels: "paper"');
	const invalid = 'Invalid If Already Shipped: "skip"';
	expect(() => readCreationOptions({ ifShipped: 'skip' })).toThrow(invalid);
	const fallback = { ifShipped: 'returnUnchanged' };
	expect(readCreationOptions({ ifShipped: null })).toMatchObject(fallback);
	expect(() => readCreationOptions({ defaultWeight: -1 })).toThrow('Invalid Default Weight: -1');
});

test('there are few options, and each switch among them is on as soon as the user adds it, and off without it', () => {
	const options = createFields.find(({ name }) => name === 'options')?.options as INodeProperties[];
	expect(options.length).toBeLessThanOrEqual(8);
	const switches = options.filter(({ type }) => type === 'boolean');
	expect(switches.map(({ name }) => name)).toEqual(['dryRun']);
	const added = Object.fromEntries(switches.map((each) => [each.name, each.default]));
	expect(readCreationOptions(added as IDataObject).dryRun).toBe(true);
	expect(readCreationOptions({}).dryRun).toBe(false);
});
