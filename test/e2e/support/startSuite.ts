import { shareSuite, TestN8n } from './n8n';

const shared = globalThis as typeof globalThis & { testN8n?: TestN8n };

/** Starts one n8n for all test files. */
export default async function startSuite(): Promise<void> {
	const n8n = (shared.testN8n = await TestN8n.install(5690));
	await n8n.start();
	await shareSuite(n8n);
}
