import type { IDataObject } from 'n8n-workflow';

import { readLimit } from '../../../nodes/ParcelShipping/descriptions/listing';
import { contextOf } from '../../support/tries';

const read = (form: IDataObject) => readLimit(contextOf({}, { form }), 0);

test.each([
	[{}, 50],
	[{ limit: '7' }, 7],
	[{ limit: 7, returnAll: true }, Infinity],
])('the parameters %j mean %d records', (parameters, expected) => {
	expect(read(parameters)).toBe(expected);
});

test.each([0, -1, 1.5, 'abc', NaN])('a limit of %j is refused', (limit) => {
	expect(() => read({ limit })).toThrow('Invalid Limit');
});
