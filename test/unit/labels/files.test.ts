import { labelFileName } from '../../../nodes/ParcelShipping/labels/files';

test.each([
	['ANT', 3, '0a1b2c3d4e5f', 'labels-ANT-2026-11-20-3-0a1b2c3d.pdf'],
	['../a b/č', 1, null, 'labels--a-b--2026-11-20-1.pdf'],
])('the label file of %s has no special characters in its name', (...given) => {
	const [carrierCode, labelsCount, hash, name] = given;
	expect(labelFileName({ carrierCode, labelsCount, hash }, '2026-11-20', 'pdf')).toBe(name);
});
