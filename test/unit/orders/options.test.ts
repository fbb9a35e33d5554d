import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';

test('without options, nothing ships twice, nothing is guessed and nothing is downloaded', () => {
	expect(readCreationOptions({})).toMatchObject({
		...{ ifExists: 'reuse', ifDiffers: 'fail', lookUpScope: 'allCarriers' },
		...{ checkForDuplicates: true, downloadLabels: false, dryRun: false, ifPrintingFails: 'fail' },
	});
	expect(readCreationOptions({ ifExists: 'create' }).ifExists).toBe('create');
});
