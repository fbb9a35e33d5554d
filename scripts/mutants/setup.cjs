// Runs before each test file.

// A slow machine may fail an engine test. Only one that fails again has noticed the change.
if (expect.getState().testPath.includes('/engine/')) jest.retryTimes(1, { retryImmediately: true });

// A random test may or may not notice a change, so it does not count: those that use fast-check are skipped.
const { test } = globalThis;
const chosenFor = (work) => (String(work).includes('fastcheck') ? test.skip : test);

globalThis.test = Object.assign((name, work, limit) => chosenFor(work)(name, work, limit), test, {
	each:
		(...table) =>
		(name, work, limit) =>
			chosenFor(work).each(...table)(name, work, limit),
});
