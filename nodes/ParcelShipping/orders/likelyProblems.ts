import type { CarrierService, ShipmentCreation } from '../transport/contract';
import { listTexts } from '../lists';
import { type CreationFieldName, creationFields } from './fields';
import { type Offer, type Problem } from './validate';
import { type Order, referenceOf } from './order';
import { findByCode } from '../records';

type Body = Partial<ShipmentCreation>;

/** A field that a service probably needs, although services do not report what they need. */
interface LikelyNeed {
	service: RegExp;
	field: CreationFieldName;
	isMissing: (body: Body) => boolean;
}

const NEEDS: readonly LikelyNeed[] = [
	{
		service: /pick-?\s?up|parcel ?(shop|box)|locker|\bpoint\b|v[ýy]dej|balíkov|z-?box/i,
		field: 'branchId',
		isMissing: ({ branchId }) => !branchId,
	},
	{
		service: /cash on delivery|\bcod\b|dobírk|nachnahme|contre remboursement|pobrani/i,
		field: 'cod',
		isMissing: ({ cod }) => cod !== true,
	},
];

const MAX_LISTED = 5;

/**
 * What the name of the service suggests. Only the carrier knows for certain, so that this is named
 * together with certain problems and in a hint, but does not keep an order from being sent.
 */
export function likelyProblems(body: Body & { serviceType: string }, offer: Offer): Problem[] {
	const service = serviceOf(body.serviceType, offer);
	if (!service) return [];
	return needsOf(service)
		.filter(({ isMissing }) => isMissing(body))
		.map(({ field }) => {
			const { caption, example } = creationFields[field];
			return {
				field,
				caption,
				found: 'missing',
				expected: `a value, because ${service.name} probably needs it, e.g. ${example}`,
				message: `${caption} is missing, which ${service.name} probably needs`,
			};
		});
}

/** One hint per service and field that its orders probably lack. */
export function likelyHints(
	orders: readonly Order[],
	offers: ReadonlyMap<string, Offer>,
): string[] {
	const lacking = new Map<string, string[]>();
	for (const order of orders) {
		const offer = offers.get(order.carrierCode);
		for (const { message = '' } of offer ? likelyProblems(order.body, offer) : []) {
			const references = lacking.get(message) ?? [];
			references.push(referenceOf(order));
			lacking.set(message, references);
		}
	}
	return [...lacking].map(
		([message, references]) => `${message}: ${listTexts(references, MAX_LISTED)}.`,
	);
}

function serviceOf(serviceType: string, offer: Offer): CarrierService | undefined {
	return 'services' in offer ? findByCode(offer.services, serviceType) : undefined;
}

function needsOf({ name, code }: CarrierService): LikelyNeed[] {
	return NEEDS.filter(({ service }) => service.test(`${name ?? ''} ${code}`));
}
