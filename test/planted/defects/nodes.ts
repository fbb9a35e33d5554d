import { defectsIn } from '../defect';

export const nodeDefects = defectsIn('', {
	'nodes/ParcelShipping/descriptions/shipmentNumbers.ts': [
		{
			promise: "A carrier's number with leading zeros is not taken for the ID of another shipment.",
			find: '!/^[1-9]\\d*$/.test(id)',
			replace: '!/^\\d+$/.test(id)',
		},
		{
			promise: 'A shipment number that has lost digits in a table is refused.',
			find: 'if (!hasLostDigits && typeof part',
			replace: 'if (typeof part',
		},
	],
	'nodes/ParcelShipping/descriptions/dates.ts': [
		{
			promise: 'A day from an expression is the day of the workflow, not of another zone.',
			find: 'if (DateTime.isDateTime(value)) return value.setZone(timezone);',
			replace: 'if (DateTime.isDateTime(value)) return value;',
		},
	],
	'nodes/ParcelShipping/descriptions/createForm.ts': [
		{
			promise:
				'Running a workflow twice does not ship its orders twice, unless the user wants that.',
			find: "name: 'ifExists',\n\t\ttype: 'options',\n\t\tdefault: 'reuse',",
			replace: "name: 'ifExists',\n\t\ttype: 'options',\n\t\tdefault: 'create',",
		},
		{
			promise: 'An order does not ship twice because its carrier was changed.',
			find: "default: 'allCarriers',",
			replace: "default: 'sameCarrier',",
		},
		{
			promise: 'Labels are downloaded only if the user adds the option.',
			find: 'return { ...defaults, downloadLabels: false, ...given }',
			replace: 'return { ...defaults, ...given }',
		},
	],
	'nodes/ParcelShipping/records.ts': [
		{
			promise: "The carrier's number keeps its leading zeros.",
			find: "return String(record.packageNumberCarrier ?? '').trim();",
			replace: "return String(Number(record.packageNumberCarrier) || '');",
		},
		{
			promise: 'Cash on delivery is recognized at a service whose records have only its amount.',
			find: 'return record.cod === true || Number(record.codPrice ?? 0) > 0;',
			replace: 'return record.cod === true;',
		},
		{
			promise: 'A main shipment that names itself as its main shipment is one.',
			find: 'if (mainId > 0 && mainId !== Number(id)) return mainId;',
			replace: 'if (mainId > 0) return mainId;',
		},
	],
	'nodes/ParcelShipping/actions/byOrderNumber.ts': [
		{
			promise: 'An order with two shipments is not canceled or handed over by guessing.',
			find: 'if (living.length < 2) continue;',
			replace: 'if (living.length < 3) continue;',
		},
	],
	'nodes/ParcelShipping/ParcelShipping.node.ts': [
		{
			promise: "'Retry On Fail' does not create again what the try before has created.",
			find: "if (!(ordered[0] && 'failure' in ordered[0])) forgetWrites(this);",
			replace: 'forgetWrites(this);',
			noticedBy: 'creation',
		},
		{
			promise: 'A shipment is linked to all items that it belongs to.',
			find: 'return { json, pairedItem: toPairedItem(from), ...(binary ? { binary } : {}) };',
			replace:
				'return { json, pairedItem: { item: from[0] ?? 0 }, ...(binary ? { binary } : {}) };',
			noticedBy: 'creation',
		},
	],
	'credentials/ParcelShippingApi.credentials.ts': [
		{
			promise: 'No other node can send the secret to another address.',
			find: '\t\trefuseOtherOrigins(requestOptions, addressOf(credential));\n',
			replace: '',
		},
		{
			promise: 'The secret does not follow a redirect to another address.',
			find: "\t\t\t// nodes that still use n8n's older request function.\n\t\t\tdisableFollowRedirect: true,",
			replace:
				"\t\t\t// nodes that still use n8n's older request function.\n\t\t\tdisableFollowRedirect: false,",
		},
		{
			promise: 'A password with other letters than English ones is accepted.',
			find: "Buffer.from(`${username}:${password}`, 'utf8')",
			replace: "Buffer.from(`${username}:${password}`, 'latin1')",
		},
	],
});
