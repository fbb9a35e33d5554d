import type { INodeProperties } from 'n8n-workflow';

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
	// As an expression may give them.
	const { codMethods } = readCreationOptions({ codMethods: ['cod_card', 'courier'] });
	expect(codMethods).toBe('cod_card,courier');
});

test('the only switch among the options is on as soon as the user adds it, and off without it', () => {
	const { options = [] } = createFields.find(({ name }) => name === 'options') ?? {};
	const switches = (options as INodeProperties[]).filter(({ type }) => type === 'boolean');
	expect(switches).toMatchObject([{ name: 'dryRun', default: true }]);
	expect(readCreationOptions({ dryRun: true }).dryRun).toBe(true);
});
