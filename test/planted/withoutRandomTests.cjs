// Runs before each test file. A random test may or may not notice a defect, so it does not count: tests that
// use fast-check are skipped.
const { test } = globalThis;
const chosenFor = (work) => (String(work).includes('fastcheck') ? test.skip : test);

globalThis.test = Object.assign((name, work, limit) => chosenFor(work)(name, work, limit), test, {
	each:
		(...table) =>
		(name, work, limit) =>
			chosenFor(work).each(...table)(name, work, limit),
});
