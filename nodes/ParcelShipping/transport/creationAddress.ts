import { keepLatest } from '../lists';
import type { CreationEnvelope } from './contract';
import { endpointOf, fillPath } from './endpoints';
import { isMissingEndpoint, ServiceError } from './errors';

/** Whether to create at /{carrier}/Create instead of /Package/Create. */
export type CarrierEndpoint = 'auto' | 'always' | 'never';

export type CreationEndpoint = 'createShipments' | 'createShipmentsOfCarrier';

/** The address that has worked, by service and credential, for as long as this process runs. */
const knownEndpoints = new Map<string, CreationEndpoint>();
const MAX_SERVICES = 100;

/** The address that is tried first. */
export function chooseCreationEndpoint(
	carrierEndpoint: CarrierEndpoint,
	service: string,
): CreationEndpoint {
	if (carrierEndpoint === 'auto') return knownEndpoints.get(service) ?? 'createShipments';
	return carrierEndpoint === 'always' ? 'createShipmentsOfCarrier' : 'createShipments';
}

/**
 * Sends a creation. The service documents two addresses for it, and some services have only one of
 * them. The other one is tried only if there is certainly nothing at the first one, so that the
 * shipments are created once.
 */
export async function createAtOneAddress(
	carrierEndpoint: CarrierEndpoint,
	service: string,
	carrierCode: string,
	send: (endpoint: CreationEndpoint) => Promise<CreationEnvelope>,
): Promise<CreationEnvelope> {
	const isAutomatic = carrierEndpoint === 'auto';
	const sendTo = async (endpoint: CreationEndpoint) => {
		const answer = await send(endpoint);
		if (isAutomatic) keepLatest(knownEndpoints, service, endpoint, MAX_SERVICES);
		return answer;
	};
	const first = chooseCreationEndpoint(carrierEndpoint, service);
	const other: CreationEndpoint =
		first === 'createShipments' ? 'createShipmentsOfCarrier' : 'createShipments';
	const tried = isAutomatic ? [first, other] : [first];
	return await sendTo(first)
		.catch(async (thrown: unknown) => {
			if (!isAutomatic || !isMissingEndpoint(thrown)) throw thrown;
			return await sendTo(other);
		})
		.catch((thrown: unknown) => {
			throw isMissingEndpoint(thrown) ? noCreationError(thrown, carrierCode, tried) : thrown;
		});
}

function noCreationError(
	{ facts }: ServiceError,
	carrierCode: string,
	tried: CreationEndpoint[],
): ServiceError {
	const addresses = tried.map((endpoint) => {
		const { method, path } = endpointOf(endpoint);
		return `${method} ${fillPath(path, { carrier_code: carrierCode })}`;
	});
	const [first, other] = addresses;
	const advice = other === undefined ? 'In the options, set Carrier Endpoint to Automatic. ' : '';
	return new ServiceError({
		...facts,
		message:
			other === undefined
				? `The service has no ${first} (${facts.status})`
				: `The service has neither ${first} nor ${other} (${facts.status})`,
		description: `${advice}Check the code of the carrier, and that the Base URL of the credential ends with the service's API path.`,
		cause: 'configuration-invalid',
	});
}
