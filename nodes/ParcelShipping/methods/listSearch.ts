import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';

import { countOf, foldText } from '../lists';
import { isOffline, printerText } from '../records';
import { isInactive } from '../orders/offers';
import { PAGE_LENGTH } from '../transport/contract';
import { ItemError } from '../transport/errors';
import type { Page } from '../transport/client';
import { getCarriers, orAdvise, requestForForm } from './loadOptions';

/** How many pages one search reads before the user has to scroll for more. */
const MAX_PAGES_PER_SEARCH = 10;

type Methods = NonNullable<INodeType['methods']>;

export const listSearch: NonNullable<Methods['listSearch']> = {
	async searchCarriers(filter) {
		const carriers = await getCarriers.call(this);
		return { results: carriers.filter(({ name, value }) => matches(filter, name, String(value))) };
	},

	async searchCarrierServices(filter) {
		return await requestForForm(this, async (client) => {
			const carriers = (await client.carriers()).filter((carrier) => !isInactive(carrier));
			const failures: unknown[] = [];
			const lists = await client.mapParallel(carriers, async ({ name: carrier, code }) => {
				const services = await client.services(code).catch((thrown: unknown) => {
					failures.push(thrown);
					return [];
				});
				return services.map((service) => {
					const value = `${code}/${service.code}`;
					return { name: `${carrier}: ${service.name}`, value, description: value };
				});
			});
			const all = lists.flat();
			// The services of the other carriers can still be chosen.
			if (all.length === 0 && failures.length > 0) throw failures[0];
			const found = all.filter(({ name, value }) => matches(filter, name, value));
			return { results: found.sort((a, b) => a.name.localeCompare(b.name)) };
		});
	},

	/** Batches, newest first. The service cannot search them, so the pages are searched here. */
	async searchBatches(filter, paginationToken) {
		return await requestForForm(this, async (client) => {
			let found: INodeListSearchResult = { results: [], paginationToken: paginationToken ?? '0' };
			for (let pages = 0; pages < MAX_PAGES_PER_SEARCH; pages++) {
				if (found.results.length > 0 || found.paginationToken === undefined) break;
				const start = Number(found.paginationToken);
				const body = { sortOrder: 'desc', start, length: PAGE_LENGTH };
				const { result: page } = await client.call('findBatches', { body });
				found = toListPage(start, page, ({ id, carrierCode, packagesCount, created }) => {
					const count = countOf(packagesCount, 'shipment');
					const name = joinParts([`Batch ${id}`, carrierCode, count, created.slice(0, 10)]);
					return { name, value: String(id) };
				});
				found.results = found.results.filter(({ name }) => matches(filter, name));
			}
			return found;
		});
	},

	/** Main shipments of the carrier in the form, searched by the service. */
	async searchShipments(filter, paginationToken) {
		return await requestForForm(this, async (client) => {
			const start = Number(paginationToken ?? 0);
			const search = filter?.trim();
			const carrierCodes = [readCarrierOfForm(this)];
			const query = { ...(search ? { search } : {}), carrierCodes, onlyMaster: true };
			const page = await client.findShipments(query, start, PAGE_LENGTH);
			return toListPage(start, page, (shipment) => {
				const { id, canceled, packageNumberCustom, packageNumberCarrier, recName } = shipment;
				const state = canceled ? 'canceled' : '';
				// Some services list shipments with few fields.
				const order = packageNumberCustom || `Shipment ${id}`;
				const name = joinParts([order, packageNumberCarrier, recName, state]);
				return { name, value: String(id), description: `ID ${id}` };
			});
		});
	},

	async searchPrinters(filter) {
		return await requestForForm(this, async (client) => {
			const printers = await client
				.printers()
				.catch(
					orAdvise(
						'This service has no list of printers',
						"Choose 'By Name' and enter the system name of the printer, spelled as on the computer of the print service. Other names do not work.",
					),
				);
			const results = printers.flatMap((printer) => {
				const { name, printerName, computerName } = printer;
				if (!printerName || !matches(filter, name ?? '', printerName)) return [];
				const description = joinParts([isOffline(printer) ? 'Offline now' : '', computerName]);
				// n8n keeps the name with the choice, so that it must stay true.
				return { name: printerText(printer), value: printerName, description };
			});
			return { results };
		});
	},
};

const joinParts = (parts: Array<string | null | undefined>) => parts.filter(Boolean).join(' · ');

/** A page for the editor. The token is the start of the next page. */
function toListPage<Row>(
	start: number,
	{ data, total }: Page<Row>,
	toItem: (row: Row) => INodeListSearchItems,
): INodeListSearchResult {
	const next = start + data.length;
	return {
		results: data.map(toItem),
		...(data.length > 0 && next < total ? { paginationToken: String(next) } : {}),
	};
}

function matches(searched: string | undefined, ...texts: string[]): boolean {
	const wanted = foldText(searched ?? '');
	return texts.some((text) => foldText(text).includes(wanted));
}

function readCarrierOfForm(context: ILoadOptionsFunctions): string {
	const chosen = context.getCurrentNodeParameter('carrierCode', { extractValue: true });
	const value = typeof chosen === 'string' ? chosen.trim() : '';
	// The editor passes on an expression that it cannot evaluate before the workflow has run.
	if (value !== '' && !value.startsWith('=')) return value;
	throw new ItemError(
		'Choose a carrier first',
		'This list depends on the carrier, and an expression has no value before the previous nodes have run.',
	);
}
