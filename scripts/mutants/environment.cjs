// Skips the tests of a file after the first one that has noticed the change.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
	#failed;

	handleTestEvent({ name, test }) {
		if (name === 'test_done' && test.errors.length > 0) this.#failed = test;
		if (name !== 'test_start' || !this.#failed) return;
		// The same test runs again: see setup.cjs.
		if (this.#failed === test) this.#failed = undefined;
		else test.mode = 'skip';
	}
};
