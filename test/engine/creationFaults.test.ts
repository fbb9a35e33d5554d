import { setTimeout as sleep } from 'node:timers/promises';

import { groupBy } from 'lodash';

import {
	checkBooks,
	checkLabels,
	checkOutputs,
	checkPrintJobs,
	claimsOf,
} from '../support/creationChecks';
import {
	inputOf,
	isShipped,
	scenario,
	type Scenario,
	seedExisting,
} from '../support/creationScenario';
import { type RunResult } from '../support/engine';
import { Lanes, type Service } from '../support/lanes';
import { Reached } from '../support/reached';
import { creationForm } from '../support/shop';

import type { Fault, Sandbox } from '../../sandbox';

// `npm test` runs the same scenarios every time, so that only a change of the code can make it fail.
// Each scenario chooses the service, and so the dialect. To repeat one, set FAULT_SEED=<seed> and FAULT_PATH=<path> as fast-check prints them.
// `npm run test:faults -- --runs 10000 --seed 1` runs more scenarios.
const ORDINARY_RUNS = 300;
const RUNS = Number(process.env.FAULT_RUNS ?? ORDINARY_RUNS);
const SEED = Number(process.env.FAULT_SEED ?? 11);
const PATH = process.env.FAULT_PATH;

const reached = new Reached([
	'existing shipment returned',
	'different shipment refused',
	'order refused by its carrier',
	'lost answer read back',
	'unknown outcome',
	'creation address that does not exist',
	'run ended with created shipments in its error',
	'later try of the node',
	'label printed',
	'label not printed',
	'second run after faults',
	'several requests of one carrier at the same time',
	'several lost answers of one carrier read back',
	'later try with several requests of unknown outcome',
	'stopped with several requests of one carrier under way',
]);

let lanes: Lanes;
beforeAll(async () => {
	lanes = await Lanes.start(6);
});
afterAll(async () => lanes.close());

test(
	`whatever goes wrong, no order ships twice, no label prints twice and nothing created is lost (${RUNS} runs from seed ${SEED})`,
	async () => {
		await lanes.playAll(scenario, { runs: RUNS, seed: SEED, path: PATH }, play);
		reached.expectAll({ runs: PATH ? 1 : RUNS, ordinaryRuns: ORDINARY_RUNS });
	},
	30_000 + RUNS * 2_000,
);

async function play(given: Scenario, { sandbox, engine }: Service): Promise<void> {
	sandbox.reset();
	const existed = seedExisting(sandbox, given.orders);
	const items = given.orders.map(inputOf);
	const options = {
		batchSize: given.batchSize,
		carrierEndpoint: given.isCarrierEndpoint ? 'always' : 'auto',
		ifExists: given.ifExists,
		ifDiffers: given.ifDiffers,
		lookUpScope: given.lookUpScope,
		timeout: 60,
		maxRetryWait: given.maxRetryWait,
		maxConcurrency: given.maxConcurrency,
		...(given.printerName === null ? {} : { printerName: given.printerName }),
	};
	// Under Create Another One, a second run creates everything again, as requested.
	const runs = given.ifExists === 'create' ? given.faultsOfRuns.slice(0, 1) : given.faultsOfRuns;
	reached.note('second run after faults', runs.length > 1);
	for (const [index, faults] of runs.entries()) {
		sandbox.requests.length = 0;
		const before = new Set(sandbox.database.shipments().map(({ id }) => id));
		for (const fault of faults) sandbox.fault(fault);
		const stop = stopAt(index === 0 ? given.stopAtCreation : null, sandbox);
		const run = await stop.unlessStopped(
			engine.run({
				parameters: creationForm(options),
				items,
				onError: given.onError,
				tries: given.tries,
				onStart: stop.onStart,
			}),
		);
		sandbox.clearFaults();
		// n8n ends a stopped run at once, and what the node has sent may still be on its way.
		if (!run) await sleep(latencyOf(faults) + 300);
		await untilQuiet(sandbox, faults);
		// A stopped run has no output, but the runs after it must find what it has created.
		if (!run) continue;
		checkOutputs(given, sandbox, run, before, existed);
		checkLabels(given, sandbox, run);
		noteReached(given, sandbox, run);
	}
	if (given.ifExists === 'reuse') {
		// Without faults, but an answer may take a while on a busy machine.
		const patient = { ...options, timeout: 10_000, maxRetryWait: 10_000 };
		const last = await engine.run({
			parameters: creationForm(patient),
			items,
			onError: 'continueErrorOutput',
		});
		checkEverythingExists(given, claimsOf(last).rows.length, last.errorItems.length);
	}
	checkBooks(given, sandbox, existed);
	checkPrintJobs(sandbox);
}

/** Stops a run like the user once the service has received so many creation requests. */
function stopAt(creation: number | null, sandbox: Sandbox) {
	let timer: NodeJS.Timeout | undefined;
	let isStopped = false;
	const onStart = (stop: () => void) => {
		if (creation === null) return;
		timer = setInterval(() => {
			const { requests } = sandbox;
			if (requests.filter(isCreation).length < creation) return;
			clearInterval(timer);
			isStopped = true;
			reached.note(
				'stopped with several requests of one carrier under way',
				haveTogether(requests.slice(-2)),
			);
			stop();
		}, 2);
	};
	const unlessStopped = async (running: Promise<RunResult>): Promise<RunResult | undefined> => {
		const outcome = await running.then(
			(run) => ({ run }),
			(thrown: unknown) => ({ thrown }),
		);
		clearInterval(timer);
		if (isStopped) return undefined;
		if ('thrown' in outcome) throw outcome.thrown;
		return outcome.run;
	};
	return { onStart, unlessStopped };
}

type Requests = Sandbox['requests'];

const isCreation = ({ operationId }: Requests[number]) =>
	operationId?.startsWith('createShipments') ?? false;

/** Two requests of one carrier of which the first has no answer when the second one arrives. */
function haveTogether(requests: Requests): boolean {
	// The end of a lost answer is not recorded, but the node searches before it sends another request.
	return requests.some((request, index) => {
		const next = requests[index + 1];
		return (
			next &&
			isCreation(request) &&
			isCreation(next) &&
			carrierOf(request) === carrierOf(next) &&
			(request.finishedAt ?? Infinity) > next.at
		);
	});
}

function carrierOf({ body }: Requests[number]): string | undefined {
	return (body as Array<{ serviceType: string }> | undefined)?.[0]?.serviceType.split('-')[0];
}

function noteReached({ tries }: Scenario, sandbox: Sandbox, run: RunResult): void {
	const { requests, database } = sandbox;
	const { rows, errorText } = claimsOf(run);
	const has = (field: string) => rows.some(({ json }) => Boolean(json[field]));
	const creations = requests.filter(({ operationId }) =>
		operationId?.startsWith('createShipments'),
	);
	reached.note('existing shipment returned', has('alreadyExisted'));
	reached.note('different shipment refused', errorText.includes('"differences"'));
	reached.note('order refused by its carrier', /"carrierErrors":\s*"\w/.test(errorText));
	reached.note('lost answer read back', has('recovered'));
	reached.note('unknown outcome', /whether \w+ created shipment/.test(errorText));
	reached.note(
		'creation address that does not exist',
		creations.some(({ status }) => status === 404 || status === 405),
	);
	reached.note(
		'run ended with created shipments in its error',
		run.error !== undefined && /\bID \d+/.test(run.error.description ?? ''),
	);
	reached.note('later try of the node', tries > 1 && run.error !== undefined);
	reached.note('label printed', has('printedOn'));
	reached.note('label not printed', has('labelNotPrinted'));
	reached.note('several requests of one carrier at the same time', haveTogether(requests));
	const recovered = new Set(rows.filter(({ json }) => json.recovered).map(({ id }) => id));
	const readBack = database.shipments().filter(({ id }) => recovered.has(id));
	const batchesOf = Object.values(groupBy(readBack, 'carrierCode')).map(
		(ofCarrier) => new Set(ofCarrier.map(({ batchId }) => batchId)),
	);
	reached.note(
		'several lost answers of one carrier read back',
		batchesOf.some(({ size }) => size > 1),
	);
	const runs = Object.values((run.nodeContext.writes ?? {}) as Record<string, SavedRun>);
	reached.note(
		'later try with several requests of unknown outcome',
		tries > 1 && runs.some(({ journals }) => (journals.create?.open.length ?? 0) > 1),
	);
}

interface SavedRun {
	journals: { create?: { open: unknown[] } };
}

/** Waits for requests that the service finishes after the node has given up. */
async function untilQuiet({ requests }: Sandbox, faults: readonly Fault[]): Promise<void> {
	let seen = -1;
	while (requests.length !== seen && requests.some(({ finishedAt }) => finishedAt === null)) {
		seen = requests.length;
		await sleep(latencyOf(faults));
	}
}

/** Several latencies may apply to one request. */
function latencyOf(faults: readonly Fault[]): number {
	return faults.reduce((sum, { ms }) => sum + (ms ?? 0), 30);
}

/** After a run without faults, every order that its carrier accepts must exist. */
function checkEverythingExists(given: Scenario, rows: number, failed: number): void {
	const { orders } = given;
	const isMade = (order: Scenario['orders'][number]) => isShipped(order, given);
	const pieces = orders.filter(isMade).reduce((sum, { pieceCount }) => sum + pieceCount, 0);
	const refused = orders.filter((order) => !isMade(order)).length;
	if (rows === pieces && failed === refused) return;
	throw new Error(
		`The last run gave ${rows} pieces of ${pieces} and ${failed} failures of ${refused}`,
	);
}
