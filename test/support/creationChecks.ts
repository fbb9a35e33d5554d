import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { BookedShipment, Sandbox } from '../../sandbox';
import type { Scenario } from './creationScenario';
import type { RunResult } from './engine';

export interface Claims {
	/** Shipments that the output says exist. */
	rows: Array<{ id: number; items: number[]; json: IDataObject }>;
	/** Everything else that is said: failed items and the error. */
	words: string;
	/** Input items that something is said of. */
	told: Set<number>;
}

export function claimsOf({ items, errorItems, error }: RunResult): Claims {
	const isRow = ({ json }: INodeExecutionData) => Number(json.id) > 0;
	const linked = ({ pairedItem }: INodeExecutionData) =>
		[pairedItem].flat().map((link) => (typeof link === 'object' ? link.item : Number(link)));
	const rows = items
		.filter(isRow)
		.map((item) => ({ id: Number(item.json.id), items: linked(item), json: item.json }));
	const others = [...items.filter((item) => !isRow(item)), ...errorItems];
	const told = new Set([...items, ...errorItems].flatMap(linked));
	const said = error ? `${error.message} ${error.description ?? ''}` : '';
	return { rows, words: `${JSON.stringify(others.map(({ json }) => json))} ${said}`, told };
}

/** Nothing created that is not named, nothing named that is not there, each with its own item. */
export function checkOutputs(
	{ orders }: Scenario,
	{ books }: Sandbox,
	run: RunResult,
	before: ReadonlySet<number>,
	existed: ReadonlySet<number>,
): void {
	const { rows, words, told } = claimsOf(run);
	const booked = new Map(books.shipments().map((shipment) => [shipment.id, shipment]));

	for (const { id, items, json } of rows) {
		const shipment = booked.get(id);
		if (!shipment) fail(`Output names shipment ${id}, which the books don't have`);
		if (shipment.canceled) fail(`Output gives the canceled shipment ${id}`);
		const owners = items.map((item) => orders[item]);
		if (!owners.some((owner) => isOf(shipment, owner))) {
			fail(`Shipment ${id} of ${shipment.packageNumberCustom} is linked to items ${items.join()}`);
		}
		if (items.length > 1 && !json.unmatched) fail(`Shipment ${id} belongs to several items`);
		if (existed.has(id) !== json.alreadyExisted && before.has(id) !== json.alreadyExisted) {
			fail(`Shipment ${id} says alreadyExisted: ${String(json.alreadyExisted)}`);
		}
	}
	const given = rows.map(({ id }) => id);
	if (new Set(given).size !== given.length)
		fail(`A shipment is in the output twice: ${given.join()}`);

	const named = new Set(given);
	for (const [, id] of words.matchAll(/\bID (\d+)/g)) named.add(Number(id));
	for (const shipment of booked.values()) {
		const { id, packageNumberCustom: label, carrierCode } = shipment;
		if (before.has(id) || named.has(id)) continue;
		const isSaidUnknown = new RegExp(
			`not known whether the shipment with Custom Shipment Number \\\\?"${label}\\\\?" was created at ${carrierCode}`,
		).test(words);
		if (!isSaidUnknown) fail(`Shipment ${id} of ${label} at ${carrierCode} is lost: ${words}`);
	}
	const untold = orders.findIndex((_, index) => !told.has(index));
	if (!run.error && untold >= 0) fail(`Item ${untold} has no outcome`);
}

/** No order has more than one shipment, however often it was tried. */
export function checkBooks(
	{ orders, ifExists }: Scenario,
	{ books }: Sandbox,
	existed: ReadonlySet<number>,
): void {
	const mains = books.shipments().filter(({ id, mainId, canceled }) => id === mainId && !canceled);
	const counts = new Map<string, number>();
	for (const { carrierCode, packageNumberCustom } of mains) {
		const key = `${packageNumberCustom} at ${carrierCode}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	for (const [key, count] of counts) {
		const ofLabel = orders.filter(({ label, carrierCode }) => `${label} at ${carrierCode}` === key);
		const earlier = mains.filter(
			({ id, carrierCode, packageNumberCustom }) =>
				existed.has(id) && `${packageNumberCustom} at ${carrierCode}` === key,
		).length;
		const most = ifExists === 'create' ? ofLabel.length + earlier : 1;
		if (count > most) fail(`${count} shipments of ${key} instead of ${most}`);
	}
}

function isOf(shipment: BookedShipment, order: Scenario['orders'][number] | undefined): boolean {
	return (
		order?.label === shipment.packageNumberCustom && order.carrierCode === shipment.carrierCode
	);
}

function fail(message: string): never {
	throw new Error(message);
}
