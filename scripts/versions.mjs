// Installs other versions of n8n next to the one in host/, each in a folder of its own.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { installHost, installN8n, root } from './install.mjs';

const HOST = path.join(root, 'host');
const host = readJson(HOST, 'package.json');
const newest = host.dependencies.n8n;
const older = readJson(root, 'test/versions/versions.json');

/** From the oldest supported version to the newest. */
const testedVersions = [...older.map(({ n8n }) => n8n), newest];

/** Installs the tested versions, or only one version. Returns the folder of each. */
export async function installVersions(only) {
	const folders = {};
	for (const version of only ? [only] : testedVersions) folders[version] = await install(version);
	return folders;
}

async function install(version) {
	if (version === newest) {
		await installHost();
		return HOST;
	}
	const folder = path.join(root, '.cache/n8n', version);
	mkdirSync(folder, { recursive: true });
	copyFileSync(path.join(HOST, '.npmrc'), path.join(folder, '.npmrc'));
	const { dependencies, overrides } = older.find(({ n8n }) => n8n === version) ?? {};
	const manifest = JSON.stringify({
		private: true,
		dependencies: { ...host.dependencies, ...dependencies, n8n: version },
		overrides: { ...host.overrides, ...overrides },
	});
	const file = path.join(folder, 'package.json');
	if (!existsSync(file) || readFileSync(file, 'utf8') !== manifest) {
		rmSync(path.join(folder, 'package-lock.json'), { force: true });
		writeFileSync(file, manifest);
	}
	console.log(`n8n ${version}`);
	await installN8n(folder, { definedBy: 'package.json' });
	return folder;
}

function readJson(folder, file) {
	return JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
}
