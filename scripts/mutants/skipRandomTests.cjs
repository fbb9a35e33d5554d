// A random test may notice a change or not, so it does not count. Skips tests that use fast-check.
const { test } = globalThis;
const chosenFor = (work) => (String(work).includes('fastcheck') ? test.skip : test);

globalThis.test = Object.assign((name, work, limit) => chosenFor(work)(name, work, limit), test, {
	each:
		(...table) =>
		(name, work, limit) =>
			chosenFor(work).each(...table)(name, work, limit),
});
