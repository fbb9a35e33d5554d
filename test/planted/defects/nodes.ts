import { defectsIn } from '../defect';

export const nodeDefects = defectsIn('', {
	'nodes/ParcelShipping/descriptions/shipmentNumbers.ts': {
		'Nothing is canceled if the item does not say how its shipments are named.': {
			find: 'readChoice(displayName, wayOf(item), ways)',
			replace: 'String(wayOf(item))',
		},
		'A shipment number that has lost digits in a table is refused.': {
			find: 'if (!hasLostDigits && typeof part',
			replace: 'if (typeof part',
		},
	},
	'nodes/ParcelShipping/methods/resourceMapping.ts': {
		'A switch that the form does not show does not keep cash on delivery from being collected.': {
			find: "isWholeForm ? kinds[kind].mapperType : 'string'",
			replace: 'kinds[kind].mapperType',
		},
	},
	'nodes/ParcelShipping/parameterValues.ts': {
		'An option is not less than what the form accepts.': {
			find: 'number >= least && number <= most',
			replace: 'number <= most',
		},
		'The carrier does not come a day early because a date was in UTC.': {
			find: 'date.setZone(timezone)',
			replace: "date.setZone('utc')",
		},
	},
	'nodes/ParcelShipping/descriptions/createForm.ts': {
		'An order that was changed after it was shipped fails, unless the user wants its shipment.': {
			find: "ifShipped || 'returnUnchanged'",
			replace: "ifShipped || 'return'",
		},
		'Nothing is sent if the user only adds the option Dry Run.': {
			find: 'would ship for real.\n\t\tdefault: true,',
			replace: 'would ship for real.\n\t\tdefault: false,',
		},
	},
	'nodes/ParcelShipping/records.ts': {
		"A carrier's number with leading zeros is not taken for the ID of another shipment.": {
			find: '/^[1-9]\\d*$/.test(text)',
			replace: '/^\\d+$/.test(text)',
		},
		"The carrier's number keeps its leading zeros.": {
			find: "return String(record.packageNumberCarrier ?? '').trim();",
			replace: "return String(Number(record.packageNumberCarrier) || '');",
		},
	},
	'nodes/ParcelShipping/actions/shipment/getAll.operation.ts': {
		'Limit counts only shipments with exactly the order number.': {
			find: '{ search: orderNumber, ...filters });',
			replace: '{ search: orderNumber, ...filters }, limit);',
		},
		'A shipment is found by its order number although the list says that it has none.': {
			find: "listed.reference === '' ?",
			replace: 'record.packageNumberCustom === undefined ?',
		},
	},
	'nodes/ParcelShipping/actions/batch/getAll.operation.ts': {
		'The newest batches come first.': {
			find: ", sortOrder: 'desc' }",
			replace: ' }',
		},
	},
	'nodes/ParcelShipping/actions/readItems.ts': {
		'An order number cancels what is left of a shipment whose main piece was canceled alone.': {
			find: 'groupBy(withoutParts(await whole), ',
			replace: 'groupBy((await whole) as ReadShipment[], ',
		},
		'An order number that is searched alone is found however old its shipment is.': {
			find: 'wanted.size > 1 ? DEFAULT_LOOKBACK_DAYS : Infinity',
			replace: 'DEFAULT_LOOKBACK_DAYS',
		},
		'An order with two shipments is not canceled or handed over by guessing.': {
			find: 'if (active.length < 2) return',
			replace: 'if (active.length < 3) return',
		},
		'The labels of pieces that only the detail has are printed by order number.': {
			find: 'hasEverything(each) ? each : complete(each)',
			replace: 'each ? each : complete(each)',
		},
	},
	'nodes/ParcelShipping/ParcelShipping.node.ts': {
		'The output does not repeat the secret.': {
			find: 'json: http.redact(each.json)',
			replace: 'json: each.json',
			engine: 'hostileProvider',
		},
		"'Retry On Fail' does not create again what the try before has created.": {
			find: "if (!(ordered[0] && 'failure' in ordered[0])) forgetTries(this);",
			replace: 'forgetTries(this);',
		},
		'A shipment is linked to all items that it belongs to.': {
			find: 'return { json, pairedItem: toPairedItem(from), ...(binary ? { binary } : {}) };',
			replace:
				'return { json, pairedItem: { item: from[0] ?? 0 }, ...(binary ? { binary } : {}) };',
		},
	},
	'credentials/ParcelShippingApi.credentials.ts': {
		'Whoever may use a shared credential cannot read its secret with a proxy.': {
			find: 'if (!proxy && !isUnchecked) return;',
			replace: 'if (!isUnchecked) return;',
		},
		'No other node can send the secret to another address.': {
			find: '\t\trefuseOtherOrigins(requestOptions, readBaseUrl(credential.baseUrl));\n',
		},
		'The secret does not follow a redirect to another address.': {
			find: 'const none = { disableFollowRedirect: true, followRedirect',
			replace: 'const none = { disableFollowRedirect: false, followRedirect',
		},
		'A password with other letters than English ones is accepted.': {
			find: "Buffer.from(`${username}:${password}`, 'utf8')",
			replace: "Buffer.from(`${username}:${password}`, 'latin1')",
		},
	},
	'nodes/ParcelShipping/ParcelShippingTrigger.node.ts': {
		'The saved state of the trigger has nothing that is made of the secret.': {
			find: '`${client.http.base} ${credentialId}`',
			replace:
				"`${client.http.base} ${JSON.stringify(await this.getCredentials('parcelShippingApi'))}`",
			engine: 'triggerShipments',
		},
	},
	'nodes/ParcelShipping/actions/shipment/track.operation.ts': {
		'250 shipments are tracked in requests that the service accepts.': {
			find: 'chunk(numbers, PAGE_LENGTH)',
			replace: 'chunk(numbers, 1000)',
		},
	},
});
