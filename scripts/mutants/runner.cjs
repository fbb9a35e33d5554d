// Makes runs for one mutant short. Stryker selects tests by name only, so that jest would load every test
// file to find them, and it continues after the test that noticed the mutant.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const { default: JestRunner } = require('jest-runner');

/** Names of tests by file, from the first run, which is without a mutant. */
const NAMES = path.resolve('.cache/testNames.json');

/** The tests of the mutated file first, then unit tests: they take the least time. */
function rankOf({ path: file }) {
	const isOwn = path
		.basename(file)
		.toLowerCase()
		.includes(path.basename(process.env.MUTATE).toLowerCase());
	return Number(isOwn) * 2 + Number(file.includes('/unit/'));
}

module.exports = class extends JestRunner {
	async runTests(tests, watcher, options) {
		const names = existsSync(NAMES) ? JSON.parse(readFileSync(NAMES, 'utf8')) : undefined;
		const selected = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		const found = {};
		let hasFailed = false;
		this.on('test-file-success', ([test, { testResults, numFailingTests }]) => {
			found[test.path] = testResults.map(({ fullName }) => fullName);
			hasFailed ||= numFailingTests > 0;
		});
		for (const test of tests.sort((a, b) => rankOf(b) - rankOf(a))) {
			if (names && !names[test.path]?.some((name) => selected.test(name))) continue;
			await super.runTests([test], watcher, options);
			if (names && hasFailed) return;
		}
		if (!names) writeFileSync(NAMES, JSON.stringify(found));
	}
};
