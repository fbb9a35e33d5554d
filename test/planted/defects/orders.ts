import { defectsIn } from '../defect';

export const orderDefects = defectsIn('nodes/ParcelShipping/orders/', {
	'phone.ts': {
		'An Italian number with two zeros is refused.': {
			find: "&& !national.startsWith('00') ? phone",
			replace: '? phone',
		},
		'A number that already has its calling code does not get a second one.': {
			find: 'isOfAnotherCountry || mayHaveCode ?',
			replace: 'isOfAnotherCountry ?',
		},
		'A German number is called without the zero after its prefix.': {
			find: 'withoutTrunk(digits.slice(plan.code.length + 1), plan)',
			replace: 'digits.slice(plan.code.length + 1)',
		},
		'A Slovak number does not become a Czech one.': {
			find: 'hasLengthOf(plan, national) && !canBegin(national)',
			replace: 'false',
		},
		'An Italian mobile number of the operator 393 gets its prefix.': {
			find: '&& canBegin(rest);',
			replace: ';',
		},
	},
	'fields.ts': {
		'No shipment is created without the number that keeps it from being created twice.': {
			find: "example: 'WEB-1042',\n\t\trequired: true,",
			replace: "example: 'WEB-1042',",
		},
	},
	'readFields.ts': {
		'48.50 € are not collected as 48.50 CZK.': {
			find: '!written || !sent || written === sent',
			replace: '!written || !sent || written !== sent || true',
		},
		'Without an amount, the recipient pays the value of the shipment.': {
			find: "name === 'codPrice' ? body.price : written",
			replace: 'written',
		},
		'A shipment that is insured for 50 € is not insured for 50 CZK.': {
			find: "kind === 'currency' ? amountOf",
			replace: "name === 'codCurrency' ? amountOf",
		},
	},
	'rules.ts': {
		'A rule that has only a weight fits by weight.': {
			find: "if (foldText(text) !== '') {",
			replace: "if (rule.text !== '') {",
		},
		'The first rule that fits chooses the carrier.': {
			find: 'of rules) {\n\t\tif (conditions.some(',
			replace: 'of rules.toReversed()) {\n\t\tif (conditions.some(',
		},
		'All conditions of a rule must fit.': {
			find: 'if (conditions.some((each) => !isUnknown(each.asked)',
			replace: 'if (conditions.length > 0 && conditions.every((each) => !isUnknown(each.asked)',
		},
		'A rule about the shipping method is not skipped for an order without one.': {
			find: "if (field === 'shippingMethod') return isEmpty(method) || typeof method === 'object';",
			replace: "if (field === 'shippingMethod') return false;",
		},
		'A rule about the weight is not skipped for an order without one.': {
			find: 'const unknown = new Set(',
			replace:
				'if (conditions.some((each) => isUnknown(each.asked))) continue;\n\t\tconst unknown = new Set(',
		},
	},
	'order.ts': {
		'All problems of an order are named at once.': {
			find: "problems.map(({ message }) => message).join('; ')",
			replace: "problems[0]?.message ?? ''",
		},
	},
	'values.ts': {
		'An amount in Cash on Delivery does not ship the order without it once methods are listed.': {
			find: "if (typeof value !== 'string' || isAmount(value)) return undefined;",
			replace: "if (typeof value !== 'string') return undefined;",
		},
		'A weight such as 0,500 is read.': {
			find: '/^(\\d+(?=\\.)|0)[.,](\\d+)$/',
			replace: '/^(\\d+(?=\\.)|0)[.,](\\d)$/',
		},
		'Cash on delivery of 12 € is collected in euros.': {
			find: "'€': 'EUR'",
			replace: "'€': 'CZK'",
		},
		'Cash on delivery of "1.290" is not collected as 1.29.': {
			find: 'bothMeanings(value) ? undefined : readAmount(value)',
			replace: 'readAmount(value)',
		},
		'A weight of "1,290" is not sent as 1.29.': {
			find: '/^(\\d+)(?:[.,](\\d{1,2}))?$/.exec(amount)',
			replace: '/^(\\d+)(?:[.,](\\d{1,3}))?$/.exec(amount)',
		},
		'A dash as the payment method is not collected on delivery.': {
			find: "if (method === '') return false;",
			replace: '',
		},
		'A payment method with a comma can be listed as cash on delivery.': {
			find: '`,${CASH_ON_DELIVERY},${foldMethods(codMethods)},`.includes(`,${method},`)',
			replace: "`${CASH_ON_DELIVERY},${codMethods}`.split(',').map(foldMethods).includes(method)",
		},
		'In a shop whose payment methods are numbers, 1 does not mean yes.': {
			find: 'isWholeNumber(value) && codMethods',
			replace: 'false && codMethods',
		},
		'An order with a payment method that nobody knows does not ship for free.': {
			find: "=== '' ? undefined : false;",
			replace: "=== 'x' ? undefined : false;",
		},
		'A database that gives 1 for yes has its cash on delivery collected.': {
			find: "if (typeof value !== 'string' && typeof value !== 'number') return undefined;",
			replace: "if (typeof value !== 'string') return undefined;",
		},
		'A number that has lost digits is refused instead of sent.': {
			find: ' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;',
			replace: ') return undefined;',
		},
	},
	'readOrders.ts': {
		'A paid order of a table with an empty amount collects nothing, also if Cash on Delivery is on.':
			{
				find: 'values.cod = !isEmpty(values.codPrice) && !isZero(values.codPrice);',
				replace: 'values.cod ??= !isEmpty(values.codPrice) && !isZero(values.codPrice);',
			},
		'An amount in the form that has no value decides nothing.': {
			find: 'byHand && !shop ? !isEmpty(byHand.codPrice) : undefined',
			replace: "byHand && !shop ? 'codPrice' in byHand : undefined",
		},
		'A misspelled amount does not ship the order without cash on delivery.': {
			find: 'form.unknownFields.length > 0',
			replace: 'form.unknownFields.length > 9',
		},
		'An order that a rule gives to another service gets no additional services of the form.': {
			find: 'hasServiceList && rule !== undefined',
			replace: 'false',
		},
		'An expression gives each order its own additional services, also if a rule chooses the carrier.':
			{
				find: 'hasServiceList && rule !== undefined',
				replace: 'rule !== undefined',
			},
		'A sender address without an email is used for the pickup.': {
			find: '.filter(({ names }) => names.some((name)',
			replace: '.filter(({ names }) => names.every((name)',
		},
		'The ID that the shop has for an order is in the output.': {
			find: '\t\t\tshopOrderId,\n',
			replace: '',
		},
		'An order with a pickup point is shipped to it, although its method is a pickup at the shop.': {
			find: "(field === 'branchId' && !isEmpty(values.branchId))",
			replace: 'false',
		},
		'A service in Additional Fields, which is not used, is refused.': {
			find: "'serviceType' in values ? undefined : values",
			replace: 'values',
		},
		'A field of the form that was left empty keeps the value of the order.': {
			find: 'read.filter(([, value]) => !isEmpty(value))',
			replace: 'read',
		},
		"A shop's own orderId does not attach somebody else's order to the shipment.": {
			find: '\t\t...(isAutomatic ? { orderId: undefined } : {}),\n',
			replace: '',
		},
		'A weight of 0 in Additional Fields does not keep an order from its default weight.': {
			find: 'if (isZero(values.weight))',
			replace: 'if (isZero(values.weight) && isEmpty(additional.weight))',
		},
		'Shops with the same order numbers ship with a prefix each.': {
			find: '`${prefix}${number}`',
			replace: 'number',
		},
		'A note of a shop that is too long loses whole words.': {
			find: "note.lastIndexOf(' ', maxLength)",
			replace: 'maxLength',
		},
	},
	'check.ts': {
		'Two items with one order number and two carriers do not ship twice.': {
			find: 'groupBy(valid, referenceOf)',
			replace: 'groupBy(valid, (order) => order.carrierCode + referenceOf(order))',
		},
		'Two items of one order number are not merged if only the second one has cash on delivery.': {
			find: 'differences.length === 0',
			replace: 'new Set(group.map(({ carrierCode }) => carrierCode)).size === 1',
		},
		'A service that does not say whether it accepts a sender address gets the order.': {
			find: '=== false)\n\t\t.flatMap(',
			replace: '!== true)\n\t\t.flatMap(',
		},
		'A service code in small letters is sent as the service writes it, so that an existing shipment does not seem to differ.':
			{
				find: 'serviceType: service?.code ?? serviceType }',
				replace: 'serviceType }',
			},
		'A carrier that waits for its activation gets no orders.': {
			find: "'inactive', 'waitingactivation'",
			replace: "'inactive', 'waitingActivation'",
		},
		'Cash on delivery without a currency is refused before it is sent.': {
			find: "...(body.cod ? (['codPrice', 'codCurrency'] as const) : []),",
			replace: "...(body.cod ? ['codPrice' as const] : []),",
		},
	},
	'shops.ts': {
		'A Shopify order that the customer picks up at the shop is not shipped to the billing address.':
			{
				find: "firstAddress('address1', of('shipping_address'))",
				replace: "firstAddress('address1', of('shipping_address'), of('billing_address'))",
			},
		'A Shoptet order that was sold at the cash desk is not shipped.': {
			find: "isOneOf(of('cashDeskOrder'), 'true')",
			replace: "isOneOf(of('cashDeskOrder'), 'yes')",
		},
		'A Shopify order that was refunded does not ship.': {
			find: "isOneOf(status, 'refunded', 'voided')",
			replace: "isOneOf(status, 'voided')",
		},
		'An order that the customer picks up at the shop does not ship.': {
			find: "'local_pickup', 'pickup_location')",
			replace: "'local_pickup:1')",
		},
		'A canceled Shoptet order does not ship, whatever the shop calls its status.': {
			find: "isOneOf(of('status.id'), '-4')",
			replace: "isOneOf(of('status.id'), '-3')",
		},
		'A Shoptet customer who has paid a deposit pays only the rest on delivery.': {
			find: "first(of('price.toPay'), total)",
			replace: 'total',
		},
		'A Shopify customer who has paid with a gift card pays only the rest on delivery.': {
			find: "first(of('total_outstanding'), total)",
			replace: 'total',
		},
		'A Shopify order that waits for its payment does not count as paid.': {
			find: "'paid', 'authorized', 'partially_refunded', 'refunded'",
			replace: "'paid', 'authorized', 'pending', 'partially_refunded', 'refunded'",
		},
		'A Shopify order of 800 grams is announced with 0.8 kilograms.': {
			find: 'Number(grams) / 1000',
			replace: 'Number(grams) / 100',
		},
		'A WooCommerce order goes to its delivery address.': {
			find: "firstAddress('address_1', of('shipping'), of('billing'))",
			replace: "firstAddress('address_1', of('billing'), of('shipping'))",
		},
		'The pickup point is read by its key, not by its place.': {
			find: 'of.find((entry) => keyOf(entry) === key && !isEmpty(entry.value))?.value',
			replace: 'of[0]?.value',
		},
		'Of two pickup points that differ, none is chosen.': {
			find: 'if (codes.size < 2)',
			replace: 'if (codes.size < 20)',
		},
		'The phone of a German billing address is not called in the Czech Republic.': {
			find: "phoneIn(of('billing.phone'), of('billing.country'))",
			replace: "of('billing.phone')",
		},
		'Nothing is collected for an order that a voucher has paid.': {
			find: 'const isSettled = isZero(due) ||',
			replace: 'const isSettled =',
		},
		'Cash on delivery is collected although WooCommerce dates the order as paid.': {
			find: 'isPaid && !(isCod && isCodDatedAsPaid)',
			replace: 'isPaid',
		},
		'What WooCommerce has refunded is not collected.': {
			find: "Number(at(refund, 'total'))",
			replace: "Number(at(refund, 'id') ?? 0)",
		},
		'A rest in the currency of the shop is not collected in that of the customer.': {
			find: '`${String(due)} ${String(currency)}`',
			replace: 'String(due)',
		},
		'An order whose payment by card was given up does not ship.': {
			find: 'pendingStatus !== undefined && !isSettled',
			replace: 'pendingStatus === undefined && !isSettled',
		},
	},
});
