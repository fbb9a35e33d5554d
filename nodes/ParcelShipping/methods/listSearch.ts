import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';

import { foldText } from '../lists';
import { type Batch, type ListedShipment, PAGE_LENGTH, type Printer } from '../transport/contract';
import { isMissingEndpoint, ItemError } from '../transport/errors';
import type { Page } from '../transport/client';
import { readCarrierOptions } from './loadOptions';
import { readFormValue, requestForForm } from './requestForForm';

/** How many pages one search reads before the user has to scroll for more. */
const MAX_PAGES_PER_SEARCH = 10;

async function searchCarriers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const carriers = await requestForForm(this, readCarrierOptions);
	return { results: carriers.filter(({ name, value }) => matches(filter, name, String(value))) };
}

/** The services of the carrier in the form. The service returns them all at once. */
async function searchServices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await requestForForm(this, async (client) => {
		const services = await client.services(readCarrierOfForm(this));
		return {
			results: services
				.filter(({ name, code }) => matches(filter, name, code))
				.map(({ name, code }) => ({ name, value: code, description: code })),
		};
	});
}

/** The services of all active carriers, as `carrier/service`. */
async function searchCarrierServices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await requestForForm(this, async (client) => {
		const carriers = (await client.carriers()).filter(({ status }) => status === 'Active');
		const results = await client.mapParallel(carriers, async ({ name: carrier, code }) =>
			(await client.services(code)).map((service) => ({
				name: `${carrier}: ${service.name}`,
				value: `${code}/${service.code}`,
				description: `${code}/${service.code}`,
			})),
		);
		return {
			results: results
				.flat()
				.filter(({ name, value }) => matches(filter, name, value))
				.sort((a, b) => a.name.localeCompare(b.name)),
		};
	});
}

/** Batches, newest first. The service cannot search them, so the pages are searched here. */
async function searchBatches(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await requestForForm(this, async (client) => {
		let found: INodeListSearchResult = { results: [], paginationToken: paginationToken ?? '0' };
		for (let pages = 0; pages < MAX_PAGES_PER_SEARCH; pages++) {
			const start = Number(found.paginationToken);
			const page = await client.findBatches({ sortOrder: 'desc' }, start, PAGE_LENGTH);
			const { results, ...next } = toListPage(start, page, batchItem);
			found = { ...next, results: results.filter(({ name }) => matches(filter, name)) };
			if (found.results.length > 0 || found.paginationToken === undefined) break;
		}
		return found;
	});
}

/** Main shipments of the carrier in the form, searched by the service. */
async function searchShipments(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await requestForForm(this, async (client) => {
		const start = Number(paginationToken ?? 0);
		const search = filter?.trim();
		const page = await client.findShipments(
			{
				...(search ? { search } : {}),
				carrierCodes: [readCarrierOfForm(this)],
				onlyMaster: true,
			},
			start,
			PAGE_LENGTH,
		);
		return toListPage(start, page, shipmentItem);
	});
}

/** The printers of the print service, by the name that people gave them. */
async function searchPrinters(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await requestForForm(this, async (client) => {
		const printers = await client.printers().catch((thrown: unknown) => {
			throw isMissingEndpoint(thrown)
				? new ItemError(
						'This service has no list of printers',
						'Choose By Name and enter the name of the printer, spelled as in the print service.',
					)
				: thrown;
		});
		return {
			results: printers
				.filter(({ printerName }) => printerName)
				.filter(({ name, printerName }) => matches(filter, name ?? '', String(printerName)))
				.map(printerItem),
		};
	});
}

type Methods = NonNullable<INodeType['methods']>;

export const listSearch: NonNullable<Methods['listSearch']> = {
	searchBatches,
	searchCarrierServices,
	searchCarriers,
	searchPrinters,
	searchServices,
	searchShipments,
};

function batchItem({ id, carrierCode, packagesCount, created }: Batch): INodeListSearchItems {
	const count = `${packagesCount} ${packagesCount === 1 ? 'shipment' : 'shipments'}`;
	const day = created.slice(0, 10);
	return {
		name: [`Batch ${id}`, carrierCode, count, day].filter(Boolean).join(' · '),
		value: String(id),
	};
}

function printerItem({
	name,
	printerName = '',
	computerName,
	printerStatus,
}: Printer): INodeListSearchItems {
	// The service writes the status as a text or as a number.
	const isOffline = printerStatus === 0 || /^(0|offline)$/i.test(String(printerStatus));
	const display = name || printerName;
	return {
		name: isOffline ? `${display} (offline)` : display,
		value: printerName,
		description: [printerName, computerName].filter(Boolean).join(' · '),
	};
}

/** Some services list shipments with few fields. The name contains the most useful ones present. */
function shipmentItem(shipment: ListedShipment): INodeListSearchItems {
	const { id, canceled, packageNumberCustom, packageNumberCarrier, recName } = shipment;
	const name = [
		packageNumberCustom || `Shipment ${id}`,
		packageNumberCarrier,
		recName,
		canceled ? 'canceled' : '',
	]
		.filter(Boolean)
		.join(' · ');
	return { name, value: String(id), description: `ID ${id}` };
}

/** A page for the editor. The token is the start of the next page. */
function toListPage<Row>(
	start: number,
	{ rows, total }: Page<Row>,
	toItem: (row: Row) => INodeListSearchItems,
): INodeListSearchResult {
	const next = start + rows.length;
	return {
		results: rows.map(toItem),
		...(rows.length > 0 && next < total ? { paginationToken: String(next) } : {}),
	};
}

/** Whether one of the texts contains the search text, ignoring case and diacritics. */
function matches(searched: string | undefined, ...texts: string[]): boolean {
	const wanted = foldText(searched ?? '');
	return texts.some((text) => foldText(text).includes(wanted));
}

function readCarrierOfForm(context: ILoadOptionsFunctions): string {
	const { value, isExpression } = readFormValue(context, 'carrierCode');
	if (value === '') {
		throw new ItemError('Choose a carrier first', 'This list depends on the carrier.');
	}
	if (isExpression) {
		throw new ItemError(
			'The carrier is an expression that has no value yet',
			'Run the previous nodes, or enter a value here instead of choosing one from the list.',
		);
	}
	return value;
}
