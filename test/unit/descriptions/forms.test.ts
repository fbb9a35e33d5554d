import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { ParcelShippingApi } from '../../../credentials/ParcelShippingApi.credentials';
import { mappedFields } from '../../../nodes/ParcelShipping/orders/fields';
import { ParcelShipping } from '../../../nodes/ParcelShipping/ParcelShipping.node';
import { ParcelShippingTrigger } from '../../../nodes/ParcelShipping/ParcelShippingTrigger.node';

type AnyOption = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const hasFields = (option: AnyOption): option is INodePropertyCollection => 'values' in option;
const isField = (option: AnyOption): option is INodeProperties => 'type' in option;

/** The fields with those inside collections, each with its place in the form. */
function fieldsIn(where: string, fields: INodeProperties[]): Array<[string, INodeProperties]> {
	return fields.flatMap((field): Array<[string, INodeProperties]> => {
		const { resource = [], operation = [] } = field.displayOptions?.show ?? {};
		const own = [where, ...resource, ...operation, field.name].join(' ');
		const below = (field.options ?? []).flatMap((option) => {
			if (hasFields(option)) return fieldsIn(own, option.values);
			return isField(option) ? fieldsIn(own, [option]) : [];
		});
		return [[own, field], ...below];
	});
}

const node = new ParcelShipping();
const credential = fieldsIn('credential', new ParcelShippingApi().properties);
const fields = [
	...fieldsIn('node', node.description.properties),
	...fieldsIn('trigger', new ParcelShippingTrigger().description.properties),
];
const lists = [...fields, ...credential].filter(([, { options = [] }]) => options.length > 0);

const nameOf = (option: AnyOption) => ('displayName' in option ? option.displayName : option.name);

/** The choices of a field. Options that are fields have a tooltip instead of a description. */
const choicesOf = ({ options = [] }: INodeProperties) =>
	options.filter((option) => !isField(option) && !hasFields(option)) as INodePropertyOptions[];

test.each(lists)('%s is in alphabetical order and names nothing twice', (_, { options = [] }) => {
	// The choice of everything comes first, and so do shipments and their creation.
	const [first = ''] = options.map(nameOf);
	const names = options.map(nameOf).slice(['All', 'Shipment', 'Create'].includes(first) ? 1 : 0);
	const sorted = names.toSorted((a, b) => a.localeCompare(b, undefined, { sensitivity: 'base' }));
	expect(names).toEqual([...new Set(sorted)]);
	expect(names.filter((name) => name.includes('*'))).toEqual([]);
});

test('descriptions of choices fit into the two lines that n8n shows, and hints are short', () => {
	const long = lists
		.flatMap(([, field]) => choicesOf(field))
		.filter(({ description = '' }) => description.length > 90);
	expect(long.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
	expect(fields.filter(([, { hint = '' }]) => hint.length > 120)).toEqual([]);
});

test('every list or mapping of a field has a method that loads it', () => {
	const needed = fields
		.filter(([where]) => where.startsWith('node'))
		.flatMap(([, { modes = [], typeOptions }]) => [
			...modes.map((mode) => mode.typeOptions?.searchListMethod),
			typeOptions?.loadOptionsMethod,
			typeOptions?.resourceMapper?.resourceMapperMethod,
		])
		.filter((name) => name !== undefined);
	const known = Object.values(node.methods).flatMap((group) => Object.keys(group));
	expect(known).toEqual(expect.arrayContaining(needed));
	expect(needed).not.toEqual([]);
});

test('field names and their choices are in single quotes', () => {
	const all = [...fields, ...credential];
	const captions = all
		.filter(([, { name, type }]) => !['resource', 'operation'].includes(name) && type !== 'notice')
		.flatMap(([, field]) => [field.displayName, ...choicesOf(field).map(nameOf)])
		.concat(Object.values(mappedFields).map(({ caption }) => caption))
		// One word may be a word of the sentence.
		.filter((caption) => caption.includes(' '));
	const texts = all.flatMap(([where, field]) => {
		const { type, displayName, description = '', hint = '' } = field;
		const own = [description, hint, type === 'notice' ? displayName : ''];
		const ofChoices = choicesOf(field).map((choice) => choice.description ?? '');
		// Apostrophes, as in provider's, are no quotes. COD is a payment method of a shop.
		return [...own, ...ofChoices].map((text) => ({
			where,
			text: text.replace(/(?<!\w)'[^']+'/g, '').replace('COD, Cash on Delivery', ''),
		}));
	});
	const isIn = (text: string) => (caption: string) =>
		new RegExp(`\\b${caption.replace(/[()]/g, '\\$&')}`).test(text);
	const unquoted = texts.flatMap(({ where, text }) =>
		captions.filter(isIn(text)).map((caption) => `${where}: ${caption}`),
	);
	expect([...new Set(unquoted)]).toEqual([]);
	expect(texts.filter(({ text }) => /<b>|<i>/.test(text))).toEqual([]);
});
