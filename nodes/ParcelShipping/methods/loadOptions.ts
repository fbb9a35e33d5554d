import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { captions } from '../orders/fields';
import { isInactive } from '../orders/check';
import { toCodes } from '../orders/order';
import { SHOPS } from '../orders/shops';
import { type Client, createClient } from '../transport/client';
import { isMissingEndpoint, ItemError, toNodeError } from '../transport/errors';

/** Shorter than for a workflow run, because a user is waiting in front of the form. */
const LIMITS = { maxRetryWaitMs: 10_000, timeoutMs: 15_000 };

/** Requests data for the form. The form shows the error if that fails. */
export async function requestForForm<Response>(
	context: ILoadOptionsFunctions,
	request: (client: Client) => Promise<Response>,
): Promise<Response> {
	return await createClient(context, LIMITS)
		.then(request)
		.catch((thrown: unknown) => {
			throw toNodeError(context.getNode(), thrown);
		});
}

/** Handles the error of a list that not every provider has: says what to do without it. */
export const orAdvise = (message: string, advice: string) => (thrown: unknown) => {
	throw isMissingEndpoint(thrown) ? new ItemError(message, advice) : thrown;
};

/** Some providers leave a name empty. */
export const nameOf = ({ name, code }: { name?: string | null; code: string }) => name || code;

export async function getCarriers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await requestForForm(this, async (client) => {
		const carriers = (await client.carriers()).toSorted(
			(a, b) => Number(isInactive(a)) - Number(isInactive(b)) || nameOf(a).localeCompare(nameOf(b)),
		);
		return carriers.map((carrier) => ({
			name: isInactive(carrier) ? `${nameOf(carrier)} (not activated)` : nameOf(carrier),
			value: carrier.code,
			description: carrier.description,
		}));
	});
}

async function getServiceAddons(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await requestForForm(this, async (client) => {
		const codes = toCodes(this.getCurrentNodeParameter('carrierService', { extractValue: true }));
		const isOfShop = Object.hasOwn(SHOPS, String(this.getCurrentNodeParameter('orderData')));
		const mapper = captions[isOfShop ? 'overrides' : 'shipment'];
		if (!codes || codes.carrierCode.startsWith('=')) {
			throw new ItemError(
				'Choose a service first',
				`This list depends on 'Carrier and Service'. If the orders have different services, map 'Additional Services' under '${mapper}'.`,
			);
		}
		const advise = orAdvise(
			'The provider has no list of additional services',
			`Enter their codes in 'Additional Services' under '${mapper}'.`,
		);
		const path = { carrier_code: codes.carrierCode };
		const query = { serviceType: codes.serviceType };
		const addons = await client.call('findServiceAddons', { path, query }).catch(advise);
		return addons.result.map(({ code, shortName, description }) => {
			const name = [description, shortName].find((text) => text && text !== code);
			return { name: name ? `${name} (${code})` : code, value: code };
		});
	});
}

export const loadOptions = { getCarriers, getServiceAddons };
