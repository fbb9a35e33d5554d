import type { INodeListSearchItems, INodeListSearchResult, INodeType } from 'n8n-workflow';

import { countOf, foldText } from '../lists';
import { isOffline, printerText } from '../records';
import { isInactive } from '../orders/check';
import { PAGE_LENGTH } from '../transport/endpoints';
import type { Page } from '../transport/client';
import { getCarriers, nameOf, orAdvise, requestForForm } from './loadOptions';

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
			// While the user is typing, the lists stay the same.
			const age = filter ? 'shared' : 'new';
			const carriers = (await client.carriers(age)).filter((carrier) => !isInactive(carrier));
			const failures: unknown[] = [];
			const lists = await client.mapParallel(carriers, async (carrier) => {
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
			const all = lists.flat();
			// The services of the other carriers can still be chosen.
			if (all.length === 0 && failures.length > 0) throw failures[0];
			const found = all.filter(({ name, value }) => matches(filter, name, value));
			return { results: found.sort((a, b) => a.name.localeCompare(b.name)) };
		});
	},

	/** Batches, newest first. The provider cannot search them, so the pages are searched here. */
	async searchBatches(filter, paginationToken) {
		return await requestForForm(this, async (client) => {
			const readPage = async (start: number) => {
				const body = { sortOrder: 'desc', start, length: PAGE_LENGTH };
				return (await client.call('findBatches', { body })).result;
			};
			return await searchPages(paginationToken, readPage, (batch) => {
				const { id, carrierCode, packagesCount, created } = batch;
				const count = countOf(packagesCount, 'shipment');
				const day = String(created ?? '').slice(0, 10);
				const name = joinParts([`Batch ${id}`, carrierCode, count, day]);
				return matches(filter, name) ? [{ name, value: String(id) }] : [];
			});
		});
	},

	async searchPrinters(filter) {
		return await requestForForm(this, async (client) => {
			const advise = orAdvise(
				'The provider has no list of printers',
				"Choose 'By Name' and enter the system name of the printer, spelled as on the computer of the print service. Other names do not work.",
			);
			const printers = await client.printers().catch(advise);
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

/** Reads pages until something is found. The token is the start of the next page. */
async function searchPages<Row>(
	token: string | undefined,
	readPage: (start: number) => Promise<Page<Row>>,
	toItems: (row: Row) => INodeListSearchItems[],
): Promise<INodeListSearchResult> {
	let start = Number(token ?? 0);
	for (let pages = 1; ; pages++) {
		const { data, total } = await readPage(start);
		start += data.length;
		const results = data.flatMap(toItems);
		if (data.length === 0 || start >= total) return { results };
		if (results.length > 0 || pages === MAX_PAGES_PER_SEARCH)
			return { results, paginationToken: String(start) };
	}
}

function matches(searched: string | undefined, ...texts: string[]): boolean {
	const wanted = foldText(searched ?? '');
	return texts.some((text) => foldText(text).includes(wanted));
}
