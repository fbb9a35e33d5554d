// Replaces the parts of the n8n application around n8n-core: loading the package and credentials.
// The environment must be set before n8n-core is imported.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

process.env.N8N_USER_FOLDER = mkdtempSync(path.join(tmpdir(), 'n8n-'));
process.env.N8N_ENCRYPTION_KEY = 'only for tests';
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_DEFAULT_BINARY_DATA_MODE = 'filesystem';

import { PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentialsHelper,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';

export const PACKAGE = 'n8n-nodes-parcel-shipping';

/** n8n-core only starts executions at this type. Works like the node of the application. */
export const manualTrigger: INodeType = {
	description: {
		...{ displayName: 'Manual Trigger', name: 'manualTrigger', description: '' },
		...{ group: ['trigger'], version: 1, defaults: {} },
		...{ inputs: [], outputs: ['main'], properties: [] },
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** Loads the built package in `folder` with the loader that n8n uses for community nodes. */
export async function loadPackage(
	others: Record<string, INodeType> = {},
	folder = path.resolve(__dirname, '../..'),
) {
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();
	const known: Record<string, INodeType> = {
		'n8n-nodes-base.manualTrigger': manualTrigger,
		...others,
	};
	const credentialType: ICredentialType = loader.getCredential('parcelShippingApi').type;
	const nodeTypes = typesBy(
		(name) => known[name] ?? (loader.getNode(name.replace(`${PACKAGE}.`, '')).type as INodeType),
	);
	return { nodeTypes, credentialType };
}

export const typesBy = (getByName: (name: string) => INodeType): INodeTypes => ({
	getByName,
	getByNameAndVersion: getByName,
	getKnownTypes: () => ({}),
});

/** A stored credential with the sign-in flow of the application. */
export class StoredCredential {
	constructor(
		public data: ParcelShippingCredential,
		private readonly type: ICredentialType,
	) {}

	/** `more` replaces values of the credential for one execution. */
	helperWith(more: Partial<ParcelShippingCredential>): ICredentialsHelper {
		return {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () =>
				({ ...this.data, ...more }) as unknown as ICredentialDataDecryptedObject,
			authenticate: async (
				credentials: ICredentialDataDecryptedObject,
				_typeName: string,
				options: IHttpRequestOptions,
			) => {
				if (typeof this.type.authenticate !== 'function') throw new Error('not a function');
				return await this.type.authenticate(credentials, options);
			},
			preAuthentication: async (
				helpers: IHttpRequestHelper,
				credentials: ICredentialDataDecryptedObject,
				_typeName: string,
				_node: INode,
				isExpired: boolean,
			) => {
				if (credentials.sessionToken !== '' && !isExpired) return undefined;
				const output = await this.type.preAuthentication?.call(helpers, credentials);
				if (output?.sessionToken === undefined) return undefined;
				this.data = { ...this.data, sessionToken: output.sessionToken as string };
				return { ...credentials, ...output } as ICredentialDataDecryptedObject;
			},
			getCredentialsProperties: () => this.type.properties,
		} as unknown as ICredentialsHelper;
	}
}

const UNUSED_URL = 'http://127.0.0.1:1';
let executions = 0;

export function additionalDataFor(
	credential: StoredCredential,
	more: Partial<ParcelShippingCredential> = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: credential.helperWith(more),
		executionId: String(++executions),
		currentNodeExecutionIndex: 0,
		...{ webhookWaitingBaseUrl: UNUSED_URL, formWaitingBaseUrl: UNUSED_URL },
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
