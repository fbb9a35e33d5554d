import type { Sandbox } from '../../sandbox';

/**
 * Makes the service refuse every tracking request with this number, until the faults are cleared. Some
 * services name the number in the error.
 */
export function refuseNumber(sandbox: Sandbox, number: string, isNamed: boolean): void {
	const message = 'Entity not found';
	sandbox.fault({
		operation: 'trackShipments',
		kind: 'status',
		status: 400,
		body: isNamed
			? { errors: [{ errorCode: 16, message, reference: number }] }
			: { errors: [{ errorCode: 16, message, reference: null }] },
		onlyIf: ({ packages }: { packages: string[] }) => packages.includes(number),
		times: Infinity,
	} as never);
}
