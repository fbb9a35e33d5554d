import type { SandboxShipment } from '../../sandbox';
import type { Exchange } from './network';
import type { Habit } from './services';
import type { Run, Simulation } from './simulation';

/** When something happened, and by which request. Without one, it came from outside. */
interface Happened {
	/** Its place among everything that the provider has carried out. */
	place: number;
	by?: Exchange | undefined;
}

export interface Printed extends Happened {
	id: number;
	hash: string;
	printerName: string;
}

interface Labels {
	carrierCode: string;
	hash: string;
}

/** What the provider has, and since when. */
export class Books<Asked> {
	readonly created = new Map<number, Happened>();
	readonly canceled = new Map<number, Happened>();
	readonly handedOver = new Map<number, Happened>();

	/** When the records began to say so. */
	readonly markedPrinted = new Map<number, Happened>();
	readonly handOvers = new Map<number, Happened>();
	readonly printed: Printed[] = [];

	/** The shipments of each hash. */
	readonly labels = new Map<string, number[]>();

	/** Shipments that their carrier does not take. */
	readonly refused = new Set<number>();
	shipments = new Map<number, SandboxShipment>();
	private printJobs = 0;

	constructor(protected readonly world: Simulation) {
		this.observe();
		world.network.onDone = (exchange) => this.observe(exchange);
	}

	/** Notes what has changed, and by which request. */
	observe(by?: Exchange): void {
		const { network, service } = this.world;
		const happened = { place: network.places, by };
		const { database } = service;
		const note = (map: Map<number, Happened>, id: number, isSo = true) => {
			if (isSo && !map.has(id)) map.set(id, happened);
		};
		this.shipments = new Map(database.shipments().map((each) => [each.id, each]));
		for (const { id, canceled, handedOver, printed } of this.shipments.values()) {
			note(this.created, id);
			note(this.canceled, id, canceled);
			note(this.handedOver, id, handedOver);
			note(this.markedPrinted, id, printed);
		}
		for (const { id } of database.handOvers()) note(this.handOvers, id);
		const jobs = database.printJobs();
		for (const { hash, printerName, shipmentIds } of jobs.slice(this.printJobs)) {
			for (const id of shipmentIds) this.printed.push({ ...happened, id, hash, printerName });
		}
		this.printJobs = jobs.length;
		if (by?.operation !== 'printLabels' || by.response?.status !== 200) return;
		const { packages } = JSON.parse(by.body) as { packages: number[] };
		const { result } = JSON.parse(String(by.response.body)) as { result: Labels[] };
		this.noteLabels(packages, result);
	}

	/** The provider has created labels of these shipments, with a hash for each carrier. */
	noteLabels(ids: readonly number[], labels: readonly Labels[]): void {
		for (const { carrierCode, hash } of labels) {
			const isOwn = (id: number) => this.shipments.get(id)?.carrierCode === carrierCode;
			this.labels.set(hash, ids.filter(isOwn));
		}
	}

	get runs(): ReadonlyArray<Run<Asked>> {
		return this.world.runs as Array<Run<Asked>>;
	}

	refuse(id: number): void {
		this.world.service.keepFromCarrier(id);
		this.refused.add(id);
	}

	piecesOf({ mainId }: SandboxShipment): SandboxShipment[] {
		return [...this.shipments.values()].filter((each) => each.mainId === mainId);
	}

	/** What the runs have sent, of the operations that the pattern names. */
	protected sentBy(runs: readonly string[], operations = /./): Exchange[] {
		return this.world.network.exchanges.filter(
			({ sender, operation }) => runs.includes(sender.run) && operations.test(operation ?? ''),
		);
	}

	/** To what this happened by requests of the run. */
	protected changedBy(run: string, map: ReadonlyMap<number, Happened>): number[] {
		return [...map].flatMap(([id, { by }]) => (by?.sender.run === run ? id : []));
	}

	/** The labels that requests of the runs have printed. */
	protected printedBy(runs: readonly string[]): Printed[] {
		return this.printed.filter(({ by }) => runs.includes(by?.sender.run ?? ''));
	}

	/** Whether the provider has some of these habits. */
	has(...habits: readonly Habit[]): boolean {
		return habits.some((habit) => this.world.setting.service.habits.includes(habit));
	}

	/** The request that created the shipment. Without one, it existed before. */
	creationOf(id: number): Exchange | undefined {
		return this.created.get(id)?.by;
	}
}

/** Whether it had happened by then. */
export const was = (map: ReadonlyMap<number, Happened>, id: number, place: number): boolean =>
	(map.get(id)?.place ?? Infinity) <= place;
