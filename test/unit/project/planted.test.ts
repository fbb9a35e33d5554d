import { problemOf } from '../../planted/defect';
import { allDefects } from '../../planted/defects';

test('every planted defect fits the code: its text occurs once, and the result can be compiled', () => {
	expect(allDefects.map(problemOf).filter((problem) => problem !== undefined)).toEqual([]);
	expect(allDefects).not.toEqual([]);
});
