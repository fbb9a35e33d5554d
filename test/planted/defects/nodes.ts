import { defectsIn } from '../defect';

export const nodeDefects = defectsIn('', {
	'nodes/ParcelShipping/descriptions/shipmentNumbers.ts': {
		'A shipment number that has lost digits in a table is refused.': {
			find: 'if (!hasLostDigits && typeof part',
			replace: 'if (typeof part',
		},
	},
	'nodes/ParcelShipping/days.ts': {
		'A day from an expression is the day of the workflow, not of another zone.': {
			find: 'formatDay(value.setZone(timezone))',
			replace: 'formatDay(value)',
		},
		'The carrier does not come a day early because a date was in UTC.': {
			find: 'DateTime.fromISO(iso, { zone: timezone })',
			replace: "DateTime.fromISO(iso, { zone: 'utc' })",
		},
		'A day of Prague is the same day in a workflow in New York.': {
			find: 'day === undefined || ENDS_WITH_UTC.test(iso) ? day',
			replace: 'day === undefined || /T.*(?:Z|[+-]\\d\\d(?::?\\d\\d)?)$/.test(iso) ? day',
		},
		'The end of a day is not the next day.': {
			find: '? day : text.slice(0, 10)',
			replace: '? day : day',
		},
		'A day with an hour of one digit is read.': {
			find: "\t\t.replace(/T(?=\\d:)/, 'T0')\n",
			replace: '',
		},
	},
	'nodes/ParcelShipping/methods/resourceMapping.ts': {
		'A switch that the form does not show does not keep cash on delivery from being collected.': {
			find: "isWholeForm ? kinds[kind].mapperType : 'string'",
			replace: 'kinds[kind].mapperType',
		},
	},
	'nodes/ParcelShipping/actions/carrier/getAll.operation.ts': {
		'A status that is spelled wrong does not list the carriers that are not active.': {
			find: "given && readChoice('Status', given, ['Active', 'Inactive']);",
			replace: 'given;',
		},
	},
	'nodes/ParcelShipping/descriptions/createForm.ts': {
		'The error of an option names its parameter.': {
			find: 'readChoice(displayName, value || fallback, valid, name)',
			replace: 'readChoice(displayName, value || fallback, valid)',
		},
		'An option is not less than what the form accepts.': {
			find: 'fallback as number, typeOptions?.minValue)',
			replace: 'fallback as number)',
		},
		'An order that was changed after it was shipped fails, unless the user wants its shipment.': {
			find: "name: 'ifShipped',\n\t\ttype: 'options',\n\t\tdefault: 'returnUnchanged',",
			replace: "name: 'ifShipped',\n\t\ttype: 'options',\n\t\tdefault: 'return',",
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
		'Cash on delivery is recognized at a service whose records have only its amount.': {
			find: 'return record.cod === true || Number(record.codPrice ?? 0) > 0;',
			replace: 'return record.cod === true;',
		},
		'A main shipment that names itself as its main shipment is one.': {
			find: 'if (mainId > 0 && mainId !== Number(id)) return mainId;',
			replace: 'if (mainId > 0) return mainId;',
		},
	},
	'nodes/ParcelShipping/actions/shipment/getAll.operation.ts': {
		'Limit counts only shipments with exactly the order number.': {
			find: "client.list('findShipments', request);",
			replace: "client.list('findShipments', request, limit);",
		},
		'A shipment is found by its order number although the list says that it has none.': {
			find: "listed.reference === '' ?",
			replace: 'record.packageNumberCustom === undefined ?',
		},
	},
	'nodes/ParcelShipping/actions/batch/getAll.operation.ts': {
		'The newest batches come first.': {
			find: "sortOrder: 'desc',",
			replace: '',
		},
	},
	'nodes/ParcelShipping/actions/batch/get.operation.ts': {
		'No label is downloaded if an expression says false.': {
			find: "readBoolean(downloadLabels, 'Download Labels')",
			replace: 'Boolean(downloadLabels)',
		},
		'An output that a batch does not have is refused.': {
			find: "readChoice('Output', output, ['batches', 'orders'])",
			replace: 'output',
		},
	},
	'nodes/ParcelShipping/actions/carrier/getServices.operation.ts': {
		'Additional services are not requested if an expression says false.': {
			find: "readBoolean(addons, 'Include Additional Services')",
			replace: 'Boolean(addons)',
		},
	},
	'nodes/ParcelShipping/actions/handOver/getAll.operation.ts': {
		'The newest hand-overs come first.': {
			find: "sortOrder: 'desc',",
			replace: '',
		},
		'Protocols are downloaded if an expression says true as text.': {
			find: "readBoolean(download, 'Download')",
			replace: 'download === true',
		},
	},
	'nodes/ParcelShipping/actions/shipment/cancel.operation.ts': {
		'Nothing is canceled if the item does not say how its shipments are chosen.': {
			find: "readChoice('Shipments', given, ['orderNumbers', 'ids', 'numbers']);",
			replace: 'given;',
		},
	},
	'nodes/ParcelShipping/actions/label/sendToPrinter.operation.ts': {
		'A label that the service did not create does not count as printed.': {
			find: "labelsMissing ? `${labelsMissing} missing` : '';",
			replace: "labelsMissing ? '' : '';",
		},
	},
	'nodes/ParcelShipping/actions/readItems.ts': {
		'An order number cancels what is left of a shipment whose main piece was canceled alone.': {
			find: 'groupBy(withoutParts(await whole), ',
			replace: 'groupBy(await whole, ',
		},
		'An order whose shipment is canceled in part has one shipment.': {
			find: 'isActive(each) || !active.has(keyOf(each)));',
			replace: 'each.id > 0);',
		},
		'An order number that is searched alone is found however old its shipment is.': {
			find: 'wanted.size > 1 ? DEFAULT_LOOKBACK_DAYS : Infinity;',
			replace: 'DEFAULT_LOOKBACK_DAYS;',
		},
		'A shipment is not canceled because the list shows its main piece as canceled.': {
			find: 'isFromDetail(each) || hasEverything(each) ?',
			replace: '!isActive(each) || isFromDetail(each) || hasEverything(each) ?',
		},
		'A canceled piece of an order has no label.': {
			find: '.filter(({ isCanceled }) => !isCanceled)',
			replace: '',
		},
		'An order with two shipments is not canceled or handed over by guessing.': {
			find: 'if (active.length < 2) return',
			replace: 'if (active.length < 3) return',
		},
		'The labels of pieces that only the detail has are printed by order number.': {
			find: 'hasEverything(each) ? each : complete(each)',
			replace: 'each ? each : complete(each)',
		},
		'The pieces of an order that the provider does not show are named.': {
			find: 'describeMissingPieces(main, 1 + others.length, hasDetail)',
			replace: '[]',
		},
		'A shipment that may be of an order is named if the order is not found.': {
			find: 'run an older one alone. ${ofUnknownOrder}`.trim(),',
			replace: 'run an older one alone.`,',
		},
		'A shipment that may be of an order is named if another one of it is found.': {
			find: 'if (ofUnknownOrder) showHints(',
			replace: 'if (!ofUnknownOrder) showHints(',
		},
	},
	'nodes/ParcelShipping/ParcelShipping.node.ts': {
		'A failed item does not repeat the secret.': {
			find: 'failure: client.http.withoutSecrets(each.failure)',
			replace: 'failure: each.failure',
			engine: 'hostileProvider',
		},
		'The output does not repeat the secret.': {
			find: 'json: client.http.secrets.redactData(each.json)',
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
		'Whoever may use a shared credential cannot read its secret behind a certificate of his own.': {
			find: '[rejectUnauthorized, agent',
			replace: '[agent',
		},
		'No other node can send the secret to another address.': {
			find: '\t\trefuseOtherOrigins(requestOptions, readBaseUrl(credential.baseUrl));\n',
			replace: '',
		},
		'The secret does not follow a redirect to another address.': {
			find: 'const none = { disableFollowRedirect: true, followRedirect',
			replace: 'const none = { disableFollowRedirect: false, followRedirect',
		},
		"The secret does not follow a redirect of n8n's HTTP Request node to another address.": {
			find: ', followAllRedirects: false };',
			replace: ' };',
		},
		'A password with other letters than English ones is accepted.': {
			find: "Buffer.from(`${username}:${password}`, 'utf8')",
			replace: "Buffer.from(`${username}:${password}`, 'latin1')",
		},
	},
	'nodes/ParcelShipping/actions/shipment/track.operation.ts': {
		'An output that Track does not have is refused.': {
			find: "readChoice('Output', context.getNodeParameter('output', item, 'latest'), ['latest', 'all'])",
			replace: "context.getNodeParameter('output', item, 'latest')",
		},
		'250 shipments are tracked in requests that the service accepts.': {
			find: 'return chunk([...distinct], NUMBERS_PER_REQUEST).map(',
			replace: 'return chunk([...distinct], 1000).map(',
		},
	},
	'nodes/ParcelShipping/actions/shipment/handOver.operation.ts': {
		"The carrier picks up on the day of the workflow's time zone.": {
			find: "readDay(date, 'Date', context.getTimezone())",
			replace: "readDay(date, 'Date', 'UTC')",
		},
	},
});
