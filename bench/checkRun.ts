import type { FigureName, Figures, Job, Variant } from './job';

/** Small runs may need no additional memory. */
const MAY_BE_ZERO: FigureName[] = ['peakMemoryMB'];

/** Throws if a run did not do the work of its job. Its figures would only look fast. */
export function checkRun(
	job: Job,
	variant: Variant,
	figures: Figures,
	{ size, trackedShipments }: { size: number; trackedShipments: number },
): void {
	const fail = (problem: string) => {
		throw new Error(`${job.name}, ${variant}: ${problem}`);
	};
	const always: FigureName[] = job.isOffline ? ['wallMs'] : ['wallMs', 'requests'];
	// Only this package has all figures of the table.
	const needed = variant === 'node' ? [...always, ...job.figures] : always;
	for (const name of new Set([...needed, ...(Object.keys(figures) as FigureName[])])) {
		const value = figures[name];
		if (value === undefined || !Number.isFinite(value)) fail(`${name} is ${value}`);
		if (value === 0 && needed.includes(name) && !MAY_BE_ZERO.includes(name)) fail(`${name} is 0`);
	}
	if (job.tracksEach && trackedShipments !== size) {
		fail(`requested the events of ${trackedShipments} shipments instead of ${size}`);
	}
}
