// Prints the time that n8n's loader takes for the built package, in milliseconds.
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

process.env.N8N_USER_FOLDER = mkdtempSync(path.join(tmpdir(), 'n8n-'));
process.env.N8N_LOG_LEVEL = 'silent';
const { PackageDirectoryLoader } = require('n8n-core');
// Loads what n8n has already loaded before it loads a community package.
require('n8n-workflow');
const folder = path.resolve(__dirname, '../..');
new PackageDirectoryLoader(folder);

const startedAt = performance.now();
const loader = new PackageDirectoryLoader(folder);
loader.loadAll().then(() => console.log(performance.now() - startedAt));
