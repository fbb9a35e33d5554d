import type { ShipmentCreation } from '../transport/contract';
import { creationFieldNames, creationFields } from './creationFields';
import type { CreationFieldName } from './field';
import { kinds } from './kinds';
import { missing, type Problem } from './problem';

type Body = Partial<ShipmentCreation>;

const REQUIRED = creationFieldNames.filter((name) => creationFields[name].required);

/** Without a pickup point, nothing can be delivered without these. */
const DELIVERY_ADDRESS = ['recStreet', 'recCity', 'recZip', 'recCountry'] as const;

/**
 * What is wrong with a shipment whatever the service. `refused` are the fields whose values were
 * refused already: those are not missing.
 */
export function problemsOf(body: Body, refused: ReadonlySet<string>): Problem[] {
	const lacks = (name: CreationFieldName) => body[name] === undefined && !refused.has(name);
	return [
		...REQUIRED.filter(lacks).map(asMissing),
		...recipientProblems(body, lacks),
		...cashOnDeliveryProblems(body, lacks),
	];
}

type Lacks = (name: CreationFieldName) => boolean;

/**
 * The service requires the recipient's address as a whole and leaves the particulars to carriers.
 * So only what no delivery can do without is asked for; the rest is for the carrier to refuse.
 */
function recipientProblems(body: Body, lacks: Lacks): Problem[] {
	const nameless = lacks('recName') && lacks('recCompany');
	return [
		...(nameless ? [missing('recName', 'the name of the recipient, or Recipient Company')] : []),
		...(body.branchId === undefined ? DELIVERY_ADDRESS.filter(lacks).map(asMissing) : []),
	];
}

function cashOnDeliveryProblems(body: Body, lacks: Lacks): Problem[] {
	const terms = ['codPrice', 'codCurrency'] as const;
	if (body.cod) return terms.filter(lacks).map(asMissing);
	const given = terms.filter((name) => body[name] !== undefined).map(labelOf);
	if (given.length === 0 || (body.cod === undefined && !lacks('cod'))) return [];
	return [
		{
			field: 'cod',
			label: labelOf('cod'),
			found: `off although ${given.join(' and ')} ${given.length > 1 ? 'are' : 'is'} given`,
			expected: `true, or ${given.join(' and ')} left empty`,
		},
	];
}

const labelOf = (name: CreationFieldName) => creationFields[name].label;

const asMissing = (name: CreationFieldName) => missing(name, expectedOf(name));

/** What text is expected, only the field itself can say. */
function expectedOf(name: CreationFieldName): string {
	const { kind, description, example } = creationFields[name];
	if (kind !== 'text') return kinds[kind].expected;
	return `${description.charAt(0).toLowerCase()}${description.slice(1)}, e.g. ${example}`;
}
