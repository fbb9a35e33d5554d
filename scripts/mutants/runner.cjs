// Makes runs for one mutant short. Stryker selects tests by name only, so that jest would load every test
// file to find them, and it continues after the test that noticed the mutant.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const { default: JestRunner } = require('jest-runner');

/** How long each test takes, from the first run, which is without a mutant. */
const TIMES = path.resolve('.cache/testTimes.json');

/** A mutant that tests with this share of the time of all tests do not notice counts as not noticed. */
const MAX_SHARE = 0.4;

/** The selected tests of a file: their share in the file, and the time they take with loading it. */
function planOf(file, { loading, tests }, selected) {
	const times = Object.values(tests);
	const chosen = Object.entries(tests).filter(([name]) => selected.test(name));
	return {
		isUnit: file.includes('/unit/'),
		count: chosen.length,
		share: chosen.length / times.length,
		time: chosen.reduce((sum, [, time]) => sum + time, loading),
	};
}

module.exports = class extends JestRunner {
	async runTests(tests, watcher, options) {
		const times = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : undefined;
		if (times) await this.#runUntilNoticed(tests, times, watcher, options);
		else await this.#runAll(tests, watcher, options);
	}

	/** Unit tests first, then the files whose tests have most to do with the mutant, the short ones first. */
	async #runUntilNoticed(tests, times, watcher, options) {
		const selected = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		const planned = tests
			.map((test) => ({ test, ...planOf(test.path, times[test.path], selected) }))
			.filter(({ count }) => count > 0)
			.sort((a, b) => b.isUnit - a.isUnit || b.share - a.share || a.time - b.time);
		let hasFailed = false;
		this.on('test-file-success', ([, { numFailingTests }]) => (hasFailed ||= numFailingTests > 0));
		this.on('test-file-failure', () => (hasFailed = true));
		const everyTest = tests.map((test) => planOf(test.path, times[test.path], /^/).time);
		let rest = everyTest.reduce((sum, time) => sum + time) * MAX_SHARE;
		for (const { test, time } of planned) {
			if (hasFailed || rest < 0) return;
			await super.runTests([test], watcher, options);
			rest -= time;
		}
	}

	async #runAll(tests, watcher, options) {
		const times = {};
		this.on('test-file-success', ([{ path: file }, { perfStats, testResults }]) => {
			const named = testResults.map(({ fullName, duration }) => [fullName, duration ?? 0]);
			const inTests = named.reduce((sum, [, time]) => sum + time, 0);
			times[file] = { loading: perfStats.runtime - inTests, tests: Object.fromEntries(named) };
		});
		await super.runTests(tests, watcher, options);
		writeFileSync(TIMES, JSON.stringify(times));
	}
};
