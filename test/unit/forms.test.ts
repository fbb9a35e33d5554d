import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { ParcelShippingApi } from '../../credentials/ParcelShippingApi.credentials';
import { mappedFields } from '../../nodes/ParcelShipping/orders/fields';
import { ParcelShipping } from '../../nodes/ParcelShipping/ParcelShipping.node';
import { ParcelShippingTrigger } from '../../nodes/ParcelShipping/ParcelShippingTrigger.node';

type AnyOption = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const hasFields = (option: AnyOption): option is INodePropertyCollection => 'values' in option;
const isField = (option: AnyOption): option is INodeProperties => 'type' in option;

/** The fields with those inside collections. */
function fieldsIn(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => [
		field,
		...(field.options ?? []).flatMap((option) => {
			if (hasFields(option)) return fieldsIn(option.values);
			return isField(option) ? fieldsIn([option]) : [];
		}),
	]);
}

const forms: Array<[string, INodeProperties[]]> = [
	['node', new ParcelShipping().description.properties],
	['trigger', new ParcelShippingTrigger().description.properties],
	['credential', new ParcelShippingApi().properties],
];
const fields = forms.flatMap(([form, properties]) =>
	fieldsIn(properties).map((field): [string, INodeProperties] => {
		const { resource = [], operation = [] } = field.displayOptions?.show ?? {};
		return [[form, ...resource, ...operation, field.name].join(' '), field];
	}),
);
const lists = fields.filter(([, { options = [] }]) => options.length > 0);

const nameOf = (option: AnyOption) => ('displayName' in option ? option.displayName : option.name);

/** The descriptions of the choices of a field. Options that are fields have a tooltip. */
const choicesOf = ({ options = [] }: INodeProperties) =>
	options.filter((option) => !isField(option) && !hasFields(option)) as INodePropertyOptions[];

describe.each(lists)('%s', (_, field) => {
	test('is in alphabetical order and names nothing twice', () => {
		// The choice of everything comes first.
		const names = (field.options ?? []).map(nameOf).filter((name) => name !== 'All');
		expect(names).toEqual(
			names.toSorted((a, b) => a.localeCompare(b, undefined, { sensitivity: 'base' })),
		);
		expect(names).toEqual([...new Set(names)]);
	});

	test('has descriptions that fit into the two lines that n8n shows', () => {
		const long = choicesOf(field).filter(({ description = '' }) => description.length > 90);
		expect(long.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
	});
});

test('hints are short', () => {
	expect(fields.filter(([, { hint = '' }]) => hint.length > 120)).toEqual([]);
});

test('names of fields and their choices stand in single quotes', () => {
	const named = fields.filter(([, { name }]) => !['resource', 'operation'].includes(name));
	const captions = named
		.filter(([, { type }]) => type !== 'notice')
		.flatMap(([, field]) => [field.displayName, ...choicesOf(field).map(nameOf)])
		.concat(Object.values(mappedFields).map(({ caption }) => caption))
		// One word may be a word of the sentence.
		.filter((caption) => caption.includes(' '));
	const texts = fields.flatMap(([where, field]) => {
		const { type, displayName, description = '', hint = '' } = field;
		const own = [description, hint, type === 'notice' ? displayName : ''];
		const ofChoices = choicesOf(field).map((choice) => choice.description ?? '');
		return [...own, ...ofChoices].map((text) => ({ where, text }));
	});
	// Apostrophes, as in service's, are no quotes. COD is a payment method of a shop.
	const withoutQuoted = (text: string) =>
		text.replace(/(?<!\w)'[^']+'/g, '').replace('COD, Cash on Delivery', '');
	const unquoted = texts.flatMap(({ where, text }) =>
		captions
			.filter((caption) =>
				new RegExp(`\\b${caption.replace(/[()]/g, '\\$&')}`).test(withoutQuoted(text)),
			)
			.map((caption) => `${where}: ${caption}`),
	);
	expect([...new Set(unquoted)]).toEqual([]);
	expect(texts.filter(({ text }) => /<b>|<i>/.test(text))).toEqual([]);
});
