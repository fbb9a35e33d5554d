import type { INodeType } from 'n8n-workflow';

import { foldText } from '../lists';
import { isInactive } from '../orders/check';
import { getCarriers, nameOf, orAdvise, requestForForm } from './loadOptions';

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

	async searchPrinters(filter) {
		return await requestForForm(this, async (client) => {
			const advise = orAdvise(
				'The provider has no list of printers',
				"Choose 'By Name' and enter the system name of the printer, spelled as on the computer of the print service. Other names do not work.",
			);
			const printers = await client.call('findPrinters', { body: {} }).catch(advise);
			const results = printers.result.flatMap((printer) => {
				const { name, printerName, computerName, printerStatus } = printer;
				if (!printerName || !matches(filter, name ?? '', printerName)) return [];
				// Some providers write the status as a number.
				const isOffline = /^(0|offline)$/i.test(String(printerStatus));
				const description = [isOffline && 'Offline now', computerName].filter(Boolean).join(' · ');
				const both = name && name !== printerName ? `${name} (${printerName})` : printerName;
				// n8n keeps the name with the choice, so that it must stay true.
				return { name: both, value: printerName, description };
			});
			return { results };
		});
	},
};

function matches(searched: string | undefined, ...texts: string[]): boolean {
	const wanted = foldText(searched ?? '');
	return texts.some((text) => foldText(text).includes(wanted));
}
