import { defectsIn } from '../defect';

export const orderDefects = defectsIn('nodes/ParcelShipping/orders/', {
	'phone.ts': {
		'A number that already has its calling code does not get a second one.': {
			find: 'isOfAnotherCountry || mayHaveCode ?',
			replace: 'isOfAnotherCountry ?',
		},
		'A German number is called without the zero after its prefix.': {
			find: 'withoutTrunk(digits.slice(plan.code.length + 1), plan)',
			replace: 'digits.slice(plan.code.length + 1)',
		},
	},
	'fields.ts': {
		'No shipment is created without the number that keeps it from being created twice.': {
			find: "caption: 'Order Number', kind: 'text', required: true,",
			replace: "caption: 'Order Number', kind: 'text',",
		},
	},
	'rules.ts': {
		'All conditions of a rule must fit.': {
			find: 'if (conditions.some((each) => !isUnknown(each)',
			replace: 'if (conditions.length > 0 && conditions.every((each) => !isUnknown(each)',
		},
		'A rule about the shipping method is not skipped for an order without one.': {
			find: "isEmpty(method) || typeof method === 'object' ? undefined : method",
			replace: "String(method ?? '')",
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
		'Cash on delivery of "1.290" is not collected as 1.29.': {
			find: 'isThousandsOrDecimals(value) ? undefined : readAmount(value)',
			replace: 'readAmount(value)',
		},
		'A dash as the payment method is not collected on delivery.': {
			find: "if (method === '') return false;",
		},
		'An order with a payment method that nobody knows does not ship for free.': {
			find: "=== '' ? undefined : false;",
			replace: "=== 'x' ? undefined : false;",
		},
	},
	'readOrders.ts': {
		'48.50 € are not collected as 48.50 CZK.': {
			find: '!written || !sent || written === sent',
			replace: '!written || !sent || written !== sent || true',
		},
		'Without an amount, the recipient pays the value of the shipment.': {
			find: "name === 'codPrice' ? body.price : written",
			replace: 'written',
		},
		'A shop that the form does not have is no mapping.': {
			find: 'readChoice(captions.orderData, chosen, [MAPPED, ...Object.keys(SHOPS)])',
			replace: 'String(chosen)',
		},
		'A paid order of a table with an empty amount collects nothing, also if Cash on Delivery is on.':
			{
				find: 'values.cod = !isEmpty(values.codPrice) && !isZero(values.codPrice);',
				replace: 'values.cod ??= !isEmpty(values.codPrice) && !isZero(values.codPrice);',
			},
		'A misspelled amount does not ship the order without cash on delivery.': {
			find: 'form.unknownFields.length > 0',
			replace: 'form.unknownFields.length > 9',
		},
		'An order that a rule gives to another service, also of the same carrier, gets no additional services of the form.':
			{
				find: 'form.hasServiceList && rule !== undefined',
				replace: 'false',
			},
		'The ID that the shop has for an order is in the output.': {
			find: ' shopOrderId, rule };',
			replace: ' shopOrderId: undefined, rule };',
		},
		'A service in Additional Fields, which is not used, is refused.': {
			find: "if ('serviceType' in additional) {",
			replace: "if ('serviceType' in {}) {",
		},
		'A field of the form that was left empty keeps the value of the order.': {
			find: '!shop || !isEmpty(value)',
			replace: 'true',
		},
		"A shop's own orderId does not attach somebody else's order to the shipment.": {
			find: '\t\t...(isAutomatic ? { orderId: undefined } : {}),\n',
		},
		'Shops with the same order numbers ship with a prefix each.': {
			find: '`${prefix}${number}`',
			replace: 'number',
		},
	},
	'check.ts': {
		'Two items with one order number and two carriers do not ship twice.': {
			find: 'groupBy(valid, referenceOf)',
			replace: 'groupBy(valid, (order) => order.carrierCode + referenceOf(order))',
		},
		'A service code in small letters is sent as the provider writes it, so that an existing shipment does not seem to differ.':
			{
				find: 'serviceType: service.code }',
				replace: 'serviceType }',
			},
		'A carrier that waits for its activation gets no orders.': {
			find: '(inactive|waitingactivation)',
			replace: '(inactive)',
		},
		'Cash on delivery without a currency is refused before it is sent.': {
			find: "...(body.cod ? (['codPrice', 'codCurrency'] as const) : []),",
			replace: "...(body.cod ? ['codPrice' as const] : []),",
		},
	},
	'shops.ts': {
		'An order that the customer picks up at the shop does not ship.': {
			find: "'local_pickup', 'pickup_location')",
			replace: "'local_pickup:1')",
		},
		'A canceled Shoptet order does not ship, whatever the shop calls its status.': {
			find: "isOneOf(of('status.id'), '-4')",
			replace: "isOneOf(of('status.id'), '-3')",
		},
		'A Shopify order that waits for its payment does not count as paid.': {
			find: "'paid', 'authorized', 'partially_refunded', 'refunded'",
			replace: "'paid', 'authorized', 'pending', 'partially_refunded', 'refunded'",
		},
		'A WooCommerce order goes to its delivery address.': {
			find: "firstAddress('address_1', of('shipping'), of('billing'))",
			replace: "firstAddress('address_1', of('billing'), of('shipping'))",
		},
		'The pickup point is read by its key, not by its place.': {
			find: 'find((each) => keyOf(each) === key && !isEmpty(each.value))?.value',
			replace: 'at(0)?.value',
		},
		'Of two pickup points that differ, none is chosen.': {
			find: 'codes.size < 2 ?',
			replace: 'codes.size < 20 ?',
		},
		'The phone of a German billing address is not called in the Czech Republic.': {
			find: "phoneIn(of('billing.phone'), of('billing.country'))",
			replace: "of('billing.phone')",
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
			find: "payment.isUnsettled && isOneOf(status, 'pending')",
			replace: "isOneOf(status, 'never')",
		},
	},
});
