import type { Connection } from './client';
import type { Carrier, CarrierService } from './contract';

/** The account's carriers and their services, asked once per run however many items want them. */
export class Catalogue {
	private carrierList: Promise<Carrier[]> | undefined;

	private readonly serviceLists = new Map<string, Promise<CarrierService[]>>();

	constructor(private readonly connection: Connection) {}

	async carriers(): Promise<Carrier[]> {
		this.carrierList ??= this.connection
			.call('findCarriers', { body: {} })
			.then(({ result }) => result);
		return await this.carrierList;
	}

	async services(carrierCode: string): Promise<CarrierService[]> {
		const known = this.serviceLists.get(carrierCode);
		if (known) return await known;
		const asked = this.connection
			.call('findServices', { body: { carrierCode } })
			.then(({ result }) => result);
		this.serviceLists.set(carrierCode, asked);
		return await asked;
	}
}
