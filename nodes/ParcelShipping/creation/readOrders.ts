import type { Order } from './order';
import { isCreationField, readBody } from './readBody';
import { type Offer, problemOfCarrier, problemsOfService } from './offer';
import { type Problem, refusalOf, showFound } from './problem';
import { problemsOf } from './problems';
import { shipmentField } from '../descriptions/createForm';
import type { CarrierService, ShipmentCreation } from '../transport/contract';
import type { ItemError } from '../transport/errors';
import type { NodeRun } from '../actions/operation';
import { LeftOut } from './leftOut';
import { ADDITIONAL_FIELDS, type ItemValues, prepareReading } from './readItem';

export interface ReadOrders {
	orders: Order[];
	/** `order` has what could be read, without the refused values; absent without carrier or service. */
	refused: Array<{ itemIndex: number; failure: ItemError; order?: Order }>;
	/** Notes for the user about the whole run. */
	hints: string[];
}

interface Draft {
	carrierCode: string;
	body: Partial<ShipmentCreation> & { serviceType: string };
	problems: Problem[];
}

/** Reads all items and checks all of them, so that every problem is named before anything is sent. */
export async function readOrders(run: NodeRun): Promise<ReadOrders> {
	const { isAutomatic, read } = prepareReading(run);
	const leftOut = new LeftOut(isAutomatic);
	const drafts = run.items.map((_, itemIndex) => draftOrder(read(itemIndex), leftOut));

	const offers = await readOffers(run, drafts);
	const orders: Order[] = [];
	const refused: ReadOrders['refused'] = [];
	for (const [itemIndex, draft] of drafts.entries()) {
		const { carrierCode, body } = draft;
		const offer = offers.get(carrierCode);
		const problems = [
			...draft.problems,
			...(offer ? problemsOfService(body.serviceType, body, offer) : []),
		];
		const order = { itemIndex, carrierCode, body: body as ShipmentCreation };
		if (problems.length === 0) orders.push(order);
		else {
			const failure = refusalOf(problems);
			refused.push({ itemIndex, failure, ...(carrierCode && body.serviceType ? { order } : {}) });
		}
	}
	return { orders, refused, hints: leftOut.hints };
}

function draftOrder(item: ItemValues, leftOut: LeftOut): Draft {
	const { carrierCode, serviceType, additional } = item;
	const values = leftOut.take(item.values);
	const { body, problems } = readBody({ ...values, ...additional });
	const refused = new Set(problems.map(({ field }) => field));
	const isReadable = !item.problems.some(({ field }) => field === shipmentField.name);
	return {
		carrierCode,
		body: { ...withoutFields(additional), ...body, serviceType },
		problems: [
			...item.problems,
			...secondService(additional),
			...problems,
			...(isReadable ? problemsOf(body, refused) : []),
		],
	};
}

/** What the form doesn't know goes to the service as it is: it is the carrier's own. */
function withoutFields(additional: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(additional).filter(([name]) => !isCreationField(name)));
}

function secondService({ serviceType }: Record<string, unknown>): Problem[] {
	if (serviceType === undefined) return [];
	const found = `given with serviceType ${showFound(serviceType)}`;
	return [{ ...ADDITIONAL_FIELDS, found, expected: 'no serviceType; choose it in Service' }];
}

/** Asks once per carrier that any item wants, all of it side by side. */
async function readOffers({ client }: NodeRun, drafts: Draft[]): Promise<Map<string, Offer>> {
	const codes = [...new Set(drafts.map(({ carrierCode }) => carrierCode))].filter(Boolean);
	if (codes.length === 0) return new Map();
	const [carriers, services] = await Promise.all([
		client.carriers(),
		Promise.allSettled(codes.map(async (code) => client.services(code))),
	]);
	const offerOf = (carrierCode: string, index: number): Offer => {
		const problem = problemOfCarrier(carrierCode, carriers);
		if (problem) return { problem };
		const asked = services[index] as PromiseSettledResult<CarrierService[]>;
		if (asked.status === 'rejected') throw asked.reason;
		return { carrierCode, services: asked.value };
	};
	return new Map(codes.map((code, index) => [code, offerOf(code, index)]));
}
