import { shareSuite, TestN8n } from './n8n';
import { certificate, createCertificate } from './shopApi';

const shared = globalThis as typeof globalThis & { testN8n?: TestN8n };

/** Starts one n8n for all test files. */
export default async function startSuite(): Promise<void> {
	createCertificate();
	const env = { NODE_EXTRA_CA_CERTS: certificate };
	const n8n = (shared.testN8n = await TestN8n.install(5690, env));
	await n8n.start();
	shareSuite(n8n);
}
