import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { foldText } from '../lists';
import { isInactive } from '../orders/check';
import { toCodes } from '../orders/order';
import { type Client, createClient } from '../transport/client';
import { isMissingEndpoint, ItemError, toNodeError } from '../transport/errors';

/** Shorter than for a workflow run, because a user is waiting in front of the form. */
const LIMITS = { maxRetryWaitMs: 10_000, timeoutMs: 15_000 };

/** A list to choose from. While the user is typing, it stays the same. */
type List = (
	client: Client,
	context: ILoadOptionsFunctions,
	isTyping: boolean,
) => Promise<INodePropertyOptions[]>;

const toSearch = (list: List) =>
	async function (this: ILoadOptionsFunctions, filter = '') {
		const wanted = foldText(filter);
		const hasWanted = (text: string) => foldText(text).includes(wanted);
		try {
			const options = await list(await createClient(this, LIMITS), this, filter !== '');
			return {
				results: options.filter(({ name, value }) => hasWanted(name) || hasWanted(String(value))),
			};
		} catch (thrown) {
			throw toNodeError(this.getNode(), thrown);
		}
	};

const toLoad = (list: List) =>
	async function (this: ILoadOptionsFunctions) {
		return (await toSearch(list).call(this)).results;
	};

/** Handles the error of a list that not every provider has: says what to do without it. */
const orAdvise = (message: string, advice: string) => (thrown: unknown) => {
	throw isMissingEndpoint(thrown) ? new ItemError(message, advice) : thrown;
};

/** Some providers leave a name empty. */
const nameOf = ({ name, code }: { name?: string | null; code: string }) => name || code;

const carriers: List = async (client) => {
	const sorted = (await client.carriers()).toSorted(
		(a, b) => Number(isInactive(a)) - Number(isInactive(b)) || nameOf(a).localeCompare(nameOf(b)),
	);
	return sorted.map((carrier) => ({
		name: isInactive(carrier) ? `${nameOf(carrier)} (not activated)` : nameOf(carrier),
		value: carrier.code,
		description: carrier.description,
	}));
};

const carrierServices: List = async (client, _, isTyping) => {
	const age = isTyping ? 'shared' : 'new';
	const active = (await client.carriers(age)).filter((carrier) => !isInactive(carrier));
	const failures: unknown[] = [];
	const lists = await client.mapParallel(active, async (carrier) => {
		const { code } = carrier;
		const services = await client.services(code, age).catch((thrown: unknown) => {
			failures.push(thrown);
			return [];
		});
		return services.map((service) => {
			const value = `${code}/${service.code}`;
			return { name: `${nameOf(carrier)}: ${nameOf(service)}`, value, description: value };
		});
	});
	const all = lists.flat().sort((a, b) => a.name.localeCompare(b.name));
	// The services of the other carriers can still be chosen.
	if (all.length === 0 && failures.length > 0) throw failures[0];
	return all;
};

const serviceAddons: List = async (client, context) => {
	const codes = toCodes(context.getCurrentNodeParameter('carrierService', { extractValue: true }));
	if (!codes || codes.carrierCode.startsWith('=')) {
		throw new ItemError(
			'Choose a service first',
			"This list depends on 'Carrier and Service'. If the orders have different services, map the field 'Additional Services'.",
		);
	}
	const advise = orAdvise(
		'The provider has no list of additional services',
		"Enter their codes in the mapped field 'Additional Services'.",
	);
	const path = { carrier_code: codes.carrierCode };
	const query = { serviceType: codes.serviceType };
	const addons = await client.call('findServiceAddons', { path, query }).catch(advise);
	return addons.result.map(({ code, shortName, description }) => {
		const name = [description, shortName].find((text) => text && text !== code);
		return { name: name ? `${name} (${code})` : code, value: code };
	});
};

const printers: List = async (client) => {
	const advise = orAdvise(
		'The provider has no list of printers',
		"Choose 'By Name' and enter the system name of the printer, spelled as on the computer of the print service. Other names do not work.",
	);
	const found = await client.call('findPrinters', { body: {} }).catch(advise);
	return found.result.flatMap(({ name, printerName, computerName, printerStatus }) => {
		if (!printerName) return [];
		// Some providers write the status as a number.
		const isOffline = /^(0|offline)$/i.test(String(printerStatus));
		const description = [isOffline && 'Offline now', computerName].filter(Boolean).join(' · ');
		// n8n keeps the name with the choice, so that it must stay true.
		const both = name && name !== printerName ? `${name} (${printerName})` : printerName;
		return { name: both, value: printerName, description };
	});
};

/** The lists of the forms by the names that the forms have for them. */
export const formLists = {
	listSearch: {
		searchCarriers: toSearch(carriers),
		searchCarrierServices: toSearch(carrierServices),
		searchPrinters: toSearch(printers),
	},
	loadOptions: {
		getCarriers: toLoad(carriers),
		getServiceAddons: toLoad(serviceAddons),
	},
};
