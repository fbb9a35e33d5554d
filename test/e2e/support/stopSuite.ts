import type { TestN8n } from './n8n';

const shared = globalThis as typeof globalThis & { testN8n?: TestN8n };

export default async function stopSuite(): Promise<void> {
	await shared.testN8n?.remove();
}
