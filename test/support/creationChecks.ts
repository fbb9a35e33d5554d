import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SandboxShipment, Sandbox } from '../../sandbox';
import type { Scenario } from './creationScenario';
import type { NodeRun } from './engine';

export interface Claims {
	/** Shipments in the output. */
	rows: Array<{ id: number; items: number[]; json: IDataObject }>;
	/** All other texts: failed items and the error. */
	words: string;
	/** Input items with an outcome in the output. */
	told: Set<number>;
}

export function claimsOf({ items, errorItems, error }: NodeRun): Claims {
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

/** Checks that the output lists exactly the shipments that exist, each linked to its own item. */
export function checkOutputs(
	{ orders }: Scenario,
	{ database }: Sandbox,
	run: NodeRun,
	before: ReadonlySet<number>,
	existed: ReadonlySet<number>,
): void {
	const { rows, words, told } = claimsOf(run);
	const booked = new Map(database.shipments().map((shipment) => [shipment.id, shipment]));

	for (const { id, items, json } of rows) {
		const shipment = booked.get(id);
		if (!shipment) fail(`The output contains shipment ${id}, which does not exist`);
		if (shipment.canceled) fail(`The output contains the canceled shipment ${id}`);
		const owners = items.map((item) => orders[item]);
		if (!owners.some((owner) => isOf(shipment, owner))) {
			fail(`Shipment ${id} of ${shipment.packageNumberCustom} is linked to items ${items.join()}`);
		}
		if (items.length > 1 && !json.unmatched) fail(`Shipment ${id} is linked to several items`);
		if (existed.has(id) !== json.alreadyExisted && before.has(id) !== json.alreadyExisted) {
			fail(`Shipment ${id} has the wrong alreadyExisted: ${String(json.alreadyExisted)}`);
		}
	}
	const given = rows.map(({ id }) => id);
	if (new Set(given).size !== given.length)
		fail(`The output contains a shipment twice: ${given.join()}`);

	const named = new Set(given);
	for (const [, id] of words.matchAll(/\bID (\d+)/g)) named.add(Number(id));
	for (const shipment of booked.values()) {
		const { id, packageNumberCustom: reference, carrierCode } = shipment;
		if (before.has(id) || named.has(id)) continue;
		const isSaidUnknown = new RegExp(
			`whether ${carrierCode} created shipment Custom Shipment Number \\\\?"${reference}\\\\?"`,
		).test(words);
		if (!isSaidUnknown)
			fail(`Shipment ${id} of ${reference} at ${carrierCode} is missing in the output: ${words}`);
	}
	const untold = orders.findIndex((_, index) => !told.has(index));
	if (!run.error && untold >= 0) fail(`Item ${untold} has no outcome`);
}

/** Checks that no order has more than one shipment, regardless of the number of tries. */
export function checkBooks(
	{ orders, ifExists }: Scenario,
	{ database }: Sandbox,
	existed: ReadonlySet<number>,
): void {
	const mains = database
		.shipments()
		.filter(({ id, mainId, canceled }) => id === mainId && !canceled);
	const counts = new Map<string, number>();
	for (const { carrierCode, packageNumberCustom } of mains) {
		const key = `${packageNumberCustom} at ${carrierCode}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	for (const [key, count] of counts) {
		const withReference = orders.filter(
			({ reference, carrierCode }) => `${reference} at ${carrierCode}` === key,
		);
		const earlier = mains.filter(
			({ id, carrierCode, packageNumberCustom }) =>
				existed.has(id) && `${packageNumberCustom} at ${carrierCode}` === key,
		).length;
		const most = ifExists === 'create' ? withReference.length + earlier : 1;
		if (count > most) fail(`${count} shipments of ${key} instead of ${most}`);
	}
}

function isOf(shipment: SandboxShipment, order: Scenario['orders'][number] | undefined): boolean {
	return (
		order?.reference === shipment.packageNumberCustom && order.carrierCode === shipment.carrierCode
	);
}

function fail(message: string): never {
	throw new Error(message);
}
