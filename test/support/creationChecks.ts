import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SandboxShipment, Sandbox } from '../../sandbox';
import type { Scenario } from './creationScenario';
import type { RunResult } from './engine';

export interface Claims {
	/** Shipments in the output. */
	rows: Array<{ id: number; items: number[]; json: IDataObject }>;
	/** The text of failed items and of the error. */
	errorText: string;
	/** Input items with an outcome in the output. */
	itemsWithOutcome: Set<number>;
}

export function claimsOf({ items, errorItems, error }: RunResult): Claims {
	const isRow = ({ json }: INodeExecutionData) => Number(json.id) > 0;
	const linked = ({ pairedItem }: INodeExecutionData) =>
		[pairedItem].flat().map((link) => (typeof link === 'object' ? link.item : Number(link)));
	const rows = items
		.filter(isRow)
		.map((item) => ({ id: Number(item.json.id), items: linked(item), json: item.json }));
	const others = [...items.filter((item) => !isRow(item)), ...errorItems];
	const itemsWithOutcome = new Set([...items, ...errorItems].flatMap(linked));
	const message = error ? `${error.message} ${error.description ?? ''}` : '';
	const errorText = `${JSON.stringify(others.map(({ json }) => json))} ${message}`;
	return { rows, errorText, itemsWithOutcome };
}

/** Checks that the output lists exactly the shipments that exist, each linked to its own item. */
export function checkOutputs(
	{ orders, lookUpScope }: Scenario,
	{ database }: Sandbox,
	run: RunResult,
	before: ReadonlySet<number>,
	existed: ReadonlySet<number>,
): void {
	const { rows, errorText, itemsWithOutcome } = claimsOf(run);
	const shipments = new Map(database.shipments().map((shipment) => [shipment.id, shipment]));

	for (const { id, items, json } of rows) {
		const shipment = shipments.get(id);
		if (!shipment) fail(`The output contains shipment ${id}, which does not exist`);
		if (shipment.canceled) fail(`The output contains the canceled shipment ${id}`);
		const owners = items.map((item) => orders[item]);
		const isElsewhere = existed.has(id) && lookUpScope === 'allCarriers';
		if (!owners.some((owner) => isOf(shipment, owner, isElsewhere))) {
			fail(`Shipment ${id} of ${shipment.packageNumberCustom} is linked to items ${items.join()}`);
		}
		if (items.length > 1 && !json.unmatched) fail(`Shipment ${id} is linked to several items`);
		if (existed.has(id) !== json.alreadyExisted && before.has(id) !== json.alreadyExisted) {
			fail(`Shipment ${id} has the wrong alreadyExisted: ${String(json.alreadyExisted)}`);
		}
	}
	const ids = rows.map(({ id }) => id);
	if (new Set(ids).size !== ids.length) fail(`The output contains a shipment twice: ${ids.join()}`);

	const reported = new Set(ids);
	for (const [, id] of errorText.matchAll(/\bID (\d+)/g)) reported.add(Number(id));
	for (const shipment of shipments.values()) {
		const { id, packageNumberCustom: reference, carrierCode } = shipment;
		if (before.has(id) || reported.has(id)) continue;
		const isReportedUnknown = new RegExp(
			`whether ${carrierCode} created shipment Custom Shipment Number \\\\?"${reference}\\\\?"`,
		).test(errorText);
		if (!isReportedUnknown)
			fail(
				`Shipment ${id} of ${reference} at ${carrierCode} is missing in the output: ${errorText}`,
			);
	}
	const missing = orders.findIndex((_, index) => !itemsWithOutcome.has(index));
	if (!run.error && missing >= 0) fail(`Item ${missing} has no outcome`);
}

/** Checks that no order has more than one shipment, regardless of the number of tries. */
export function checkBooks(
	{ orders, ifExists, lookUpScope }: Scenario,
	{ database }: Sandbox,
	existed: ReadonlySet<number>,
): void {
	const mains = database
		.shipments()
		.filter(({ id, mainId, canceled }) => id === mainId && !canceled);
	const isForAll = ifExists !== 'create' && lookUpScope === 'allCarriers';
	const keyOf = (reference: string, carrierCode: string) =>
		isForAll ? reference : `${reference} at ${carrierCode}`;
	const counts = new Map<string, number>();
	for (const { carrierCode, packageNumberCustom } of mains) {
		const key = keyOf(packageNumberCustom, carrierCode);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	for (const [key, count] of counts) {
		const withReference = orders.filter(
			({ reference, carrierCode }) => keyOf(reference, carrierCode) === key,
		);
		const earlier = mains.filter(
			({ id, carrierCode, packageNumberCustom }) =>
				existed.has(id) && keyOf(packageNumberCustom, carrierCode) === key,
		).length;
		const maximum = ifExists === 'create' ? withReference.length + earlier : 1;
		if (count > maximum) fail(`${count} shipments of ${key} instead of ${maximum}`);
	}
}

/** Checks that each output shipment says whether its label was printed, and that it is true. */
export function checkLabels(
	{ printerName }: Scenario,
	{ database }: Sandbox,
	run: RunResult,
): void {
	const shipments = new Map(database.shipments().map((shipment) => [shipment.id, shipment]));
	for (const { id, json } of claimsOf(run).rows) {
		const { printedOn, labelNotPrinted } = json;
		if (printerName === null) {
			if (printedOn || labelNotPrinted) fail(`Shipment ${id} was printed without a printer`);
			continue;
		}
		if (Boolean(printedOn) === Boolean(labelNotPrinted)) {
			fail(`Shipment ${id} is printed on ${String(printedOn)} and not: ${String(labelNotPrinted)}`);
		}
		if (printedOn && !shipments.get(id)?.printed) fail(`Shipment ${id} was not printed`);
	}
}

/** Checks that no label was printed by two jobs, regardless of the number of runs and tries. */
export function checkPrintJobs({ database }: Sandbox): void {
	const printed = new Set<number>();
	for (const { hash, shipmentIds } of database.printJobs()) {
		const again = shipmentIds.find((id) => printed.has(id));
		if (again !== undefined) fail(`The label of shipment ${again} was printed twice, as ${hash}`);
		for (const id of shipmentIds) printed.add(id);
	}
}

function isOf(
	shipment: SandboxShipment,
	order: Scenario['orders'][number] | undefined,
	mayBeElsewhere: boolean,
): boolean {
	return (
		order?.reference === shipment.packageNumberCustom &&
		(mayBeElsewhere || order.carrierCode === shipment.carrierCode)
	);
}

function fail(message: string): never {
	throw new Error(message);
}
