import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '..');

export function describeMachine(): string {
	const [cpu] = os.cpus();
	const memory = Math.round(os.totalmem() / 1024 ** 3);
	const model = cpu?.model.trim() || 'unknown CPU';
	return `${os.cpus().length} × ${model}, ${memory} GB, ${os.type()} ${os.release()}`;
}

export function readVersions(): Record<string, string> {
	return {
		'Node.js': process.versions.node,
		'this package': versionIn('package.json'),
		'n8n-core': versionIn('node_modules/n8n-core/package.json'),
		'n8n-nodes-base': versionIn('host/node_modules/n8n-nodes-base/package.json'),
		axios: versionIn('node_modules/axios/package.json'),
	};
}

function versionIn(file: string): string {
	const packageFile = path.join(root, file);
	if (!existsSync(packageFile)) return 'not installed';
	return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}
