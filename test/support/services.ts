import type { SandboxOptions } from '../../sandbox';

/** The kinds of services that the random tests choose from. */
export const SERVICES = {
	rich: {},
	/** Lists have only the fields of the interface document. */
	fewFields: { listRecords: 'documented' },
	documented: { dialect: 'documented' },
} satisfies Record<string, SandboxOptions>;

export type ServiceKind = keyof typeof SERVICES;

export const SERVICE_KINDS = Object.keys(SERVICES) as ServiceKind[];
