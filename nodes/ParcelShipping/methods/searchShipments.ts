import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { PAGE_LENGTH, type ShipmentDetail, type ShipmentRecord } from '../transport/contract';
import { toPage } from '../transport/paging';
import { askService } from './askService';
import { readFormCarrier } from './formCarrier';
import { asListPage } from './listPage';

/** Main shipments of the carrier in the form; the service itself looks for what is typed. */
export async function searchShipments(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await askService(this, async (client) => {
		const carrierCodes = [readFormCarrier(this)];
		const start = Number(paginationToken ?? 0);
		const search = filter?.trim();
		const page = await client.call('findShipments', {
			body: {
				...(search ? { search } : {}),
				carrierCodes,
				onlyMaster: true,
				start,
				length: PAGE_LENGTH,
			},
		});
		return asListPage(start, toPage(page), toItem);
	});
}

/** The list is documented to carry few fields; the telling ones are shown where they come along. */
function toItem(record: ShipmentRecord): INodeListSearchItems {
	const { id, canceled } = record;
	const { packageNumberCustom, packageNumberCarrier, recName } = record as Partial<ShipmentDetail>;
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
