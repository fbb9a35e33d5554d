import { readFileSync } from 'node:fs';

import { plant, problemOf } from '../../planted/defect';
import { allDefects } from '../../planted/defects';

test('every planted defect fits the code: its text occurs once, and the result can be compiled', () => {
	expect(allDefects.map(problemOf).filter((problem) => problem !== undefined)).toEqual([]);
	expect(allDefects).not.toEqual([]);
});

test('no two planted defects are the same change', () => {
	const changes = allDefects.map((defect) => plant(readFileSync(defect.file, 'utf8'), defect));
	expect(new Set(changes).size).toBe(allDefects.length);
});
