import { defectsIn } from '../defect';

export const orderDefects = defectsIn('nodes/ParcelShipping/orders/', {
	'countries.ts': {
		'An order to SVK goes to Slovakia, not to Slovenia.': {
			find: 'SVK SK, SVN SI',
			replace: 'SVK SI, SVN SK',
		},
	},
	'phone.ts': {
		'An Italian number with two zeros is refused.': {
			find: 'if (plan && keepsZero(plan) && /^0{2}/',
			replace: 'if (!plan && keepsZero(plan) && /^0{2}/',
		},
		"A Polish customer's number gets the Polish calling code.": {
			find: "PL: { code: '48'",
			replace: "PL: { code: '49'",
		},
		'A phone number as long as Slovenia allows is accepted.': {
			find: "SI: { code: '386', digits: [8, 8]",
			replace: "SI: { code: '386', digits: [9, 9]",
		},
		'A Romanian number is accepted as Romanians write it.': {
			find: "RO: { code: '40', digits: [9, 9], trunk: '0' }",
			replace: "RO: { code: '40', digits: [9, 9] }",
		},
		'The courier can call the number of a Hungarian customer.': {
			find: "HU: { code: '36', digits: [8, 9], trunk: '06' }",
			replace: "HU: { code: '36', digits: [8, 9], trunk: '0' }",
		},
		'The zero of a number in San Marino stays.': {
			find: "['39', '378'].includes(plan?.code ?? '')",
			replace: "plan?.code === '39'",
		},
		'A number that already has its calling code does not get a second one.': {
			find: 'isOfAnotherCountry || codeInNumber(national, plan) !== undefined;',
			replace: 'isOfAnotherCountry;',
		},
		'A German number is called without the zero after its prefix.': {
			find: 'withoutTrunk(phone.slice(plan.code.length + 1), plan)',
			replace: 'phone.slice(plan.code.length + 1)',
		},
		'A Slovak number does not become a Czech one.': {
			find: '&& !hasStart(plan, significant)',
			replace: '&& false',
		},
		'An Italian mobile number of the operator 393 gets its prefix.': {
			find: 'hasStart(plan, rest);',
			replace: "rest !== '';",
		},
	},
	'fields.ts': {
		'No shipment is created without the number that keeps it from being created twice.': {
			find: "description: 'Number of the order in your shop, unique for each shipment',\n\t\texample: 'WEB-2026-0042',\n\t\trequired: true,",
			replace:
				"description: 'Number of the order in your shop, unique for each shipment',\n\t\texample: 'WEB-2026-0042',",
		},
		'The form asks for the weight in the unit of the service.': {
			find: "description: 'Weight in kilograms, which most carriers require'",
			replace: "description: 'Weight in grams, which most carriers require'",
		},
	},
	'readFields.ts': {
		'A paid order of a table with an empty amount collects nothing, also if Cash on Delivery is on.':
			{
				find: 'body.cod = Number(body.codPrice ?? 0) > 0;',
				replace: 'body.cod ??= Number(body.codPrice ?? given.price ?? 0) > 0;',
			},
		'A mapped amount is collected, also if Cash on Delivery is off.': {
			find: "if (name === 'cod' && facts.amountDecides) continue;",
			replace: '',
		},
		'An amount in Cash on Delivery is not advised to be a payment method.': {
			find: "kind === 'codChoice' && isAmount(cleaned)",
			replace: "kind === 'codChoice' && cleaned === undefined",
		},
		'48.50 € are not collected as 48.50 CZK.': {
			find: '[...problems, ...currencyProblems(given, body)]',
			replace: 'problems',
		},
		'The phone of a German billing address is not called in the Czech Republic.': {
			find: 'ownCountry ?? body[countryField]',
			replace: 'body[countryField]',
		},
		'Without an amount, the recipient pays the value of the shipment.': {
			find: 'return cod === true ? price : undefined;',
			replace: 'return undefined;',
		},
		'A shipment that is insured for 50 € is not insured for 50 CZK.': {
			find: "if (name !== 'insuranceCurrency' && name !== 'codCurrency')",
			replace: "if (name !== 'codCurrency')",
		},
	},
	'rules.ts': {
		'A rule that has only a weight fits by weight.': {
			find: "kind !== 'any' && wanted !== ''",
			replace: "kind !== 'any'",
		},
		'The first rule that fits chooses the carrier.': {
			find: 'of rules) {\n\t\tif (conditions.some(',
			replace: 'of rules.toReversed()) {\n\t\tif (conditions.some(',
		},
		'A rule fits with or without accents.': {
			find: 'const wanted = foldText(text);',
			replace: 'const wanted = text.toLowerCase();',
		},
		'All conditions of a rule must fit.': {
			find: 'if (conditions.some((each) => !isUnknown(each.asked)',
			replace: 'if (conditions.length > 0 && conditions.every((each) => !isUnknown(each.asked)',
		},
		'An order without a shipping method is shipped by a rule that does not ask for it.': {
			find: 'const isUnknown = (field: Asked) => {',
			replace:
				"if (isEmpty(method) && rules.some(({ conditions }) => conditions.some(({ asked }) => asked === 'shippingMethod'))) return { problems: [invalid('shippingMethod', undefined, '')] };\n\tconst isUnknown = (field: Asked) => {",
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
			find: ' || isAmount(value)) return choice;',
			replace: ') return choice;',
		},
		'A weight such as 0,500 is read.': {
			find: '/^(0)[.,](\\d+)$/',
			replace: '/^(0)[.,](\\d)$/',
		},
		'Cash on delivery of 12 € is collected in euros.': {
			find: "'€': 'EUR'",
			replace: "'€': 'CZK'",
		},
		'An order to the former CS does not go to Serbia.': {
			find: "read: (value) => findCountryCode(readText(value) ?? ''),",
			replace: 'read: textMatching(/^[A-Z]{2}$/),',
		},
		'Cash on delivery of "1.290" is not collected as 1.29.': {
			find: 'bothMeanings(value) ? undefined : readAmount(value)',
			replace: 'readAmount(value)',
		},
		'A weight of "1,290" is not sent as 1.29.': {
			find: '/^(\\d+)(?:[.,](\\d{1,2}))?$/.exec(digits)',
			replace: '/^(\\d+)(?:[.,](\\d{1,3}))?$/.exec(digits)',
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
		'A payment method is cash on delivery, with or without the accents of the list.': {
			find: 'foldText(text).replace(/[\\s_-]/g',
			replace: 'text.toLowerCase().replace(/[\\s_-]/g',
		},
		'An order with a payment method that nobody knows does not ship for free.': {
			find: "return !isEmpty(value) && codMethods.replace(/[\\s,_-]/g, '') !== '' ? false : value.trim();",
			replace: 'return isEmpty(value) ? value.trim() : false;',
		},
		'A database that gives 1 for yes has its cash on delivery collected.': {
			find: "if (typeof value !== 'string' && typeof value !== 'number') return value;",
			replace: "if (typeof value !== 'string') return value;",
		},
		'A Polish or Slovak "nie" means no.': {
			find: "const NO = ['false', 'no', 'n', '0', 'off', 'ne', 'nie', 'nein'];",
			replace: "const NO = ['false', 'no', 'n', '0', 'off', 'na', 'ne', 'nein'];",
		},
		'A number that has lost digits is refused instead of sent.': {
			find: ' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;',
			replace: ') return undefined;',
		},
	},
	'readOrders.ts': {
		'An order that a rule gives to another service of the same carrier gets no additional services of the form.':
			{
				find: 'isSameCode(inForm?.serviceType, chosen.serviceType);',
				replace: 'inForm !== undefined;',
			},
		'A note of the metadata that is too long does not keep an order from being shipped.': {
			find: "given.isOfShop('note') || given.isFromMetadata('note')",
			replace: "given.isOfShop('note')",
		},
		'No order gets additional services of another service.': {
			find: 'return isSame ? body : {};',
			replace: 'return body;',
		},
		'An expression gives each order its own additional services, also if a rule chooses the carrier.':
			{
				find: 'if (!hasServiceList || chosen.rule === undefined) return body;',
				replace: 'if (chosen.rule === undefined) return body;',
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
			find: "['branchId', 'recStreet'].includes(field)",
			replace: "field === 'recStreet'",
		},
		'A service in Additional Fields, which is not used, is refused.': {
			find: "problems.push(invalid('additionalFields', { serviceType }, WITHOUT_SERVICE));",
			replace: 'problems.push();',
		},
		'A field of the form that was left empty keeps the value of the order.': {
			find: 'shop ? withoutEmpty(mapped) : mapped',
			replace: 'mapped',
		},
		'A value that Additional Fields removes settles no problem of the order.': {
			find: 'isSetByUser: (field) => !isEmpty(ofUser[field]),',
			replace: 'isSetByUser: (field) => !isEmpty(mapped[field]) || !isEmpty(additional[field]),',
		},
		"Nobody is advised to attach somebody else's order to the shipment.": {
			find: '!isMappedField(name) && !FORM_FIELDS.has(name)',
			replace: "(name === 'orderId' || !isMappedField(name)) && !FORM_FIELDS.has(name)",
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
			find: 'return Object.keys({ ...a, ...b })',
			replace: 'return Object.keys(a)',
		},
		'A service that does not say whether it accepts a sender address gets the order.': {
			find: 'if (service?.[`${prefix}AddressEnabled`] !== false) return [];',
			replace: 'if (!service || service[`${prefix}AddressEnabled`]) return [];',
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
				find: "[of('shipping_address')], 'address1'",
				replace: "[of('shipping_address'), of('billing_address')], 'address1'",
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
		'An order that was not paid before its payment expired does not ship.': {
			find: "isOneOf(status, 'expired')",
			replace: "isOneOf(status, 'voided')",
		},
		'Cash on delivery of Shopify is read after two other methods.': {
			find: "[of('payment_gateway_names')].flat().filter(",
			replace: "[of('payment_gateway_names')].flat().slice(0, 2).filter(",
		},
		'A method that nobody knows is asked about, although a gift card has paid a part.': {
			find: "!isOneOf(each, 'gift_card')",
			replace: 'each !== undefined',
		},
		'The ID of an order is that of the shop, not its number.': {
			find: "of('number'),\n\t\t\tshopOrderId: of('id'),",
			replace: "of('number'),\n\t\t\tshopOrderId: of('number'),",
		},
		'A Shoptet customer who has paid a deposit pays only the rest on delivery.': {
			find: "first(of('price.toPay'), of('price.withVat'))",
			replace: "first(of('price.withVat'), of('price.toPay'))",
		},
		'A Shopify customer who has paid with a gift card pays only the rest on delivery.': {
			find: "first(of('total_outstanding'), of(totalPath))",
			replace: "first(of(totalPath), of('total_outstanding'))",
		},
		'A Shopify order that waits for its payment does not count as paid.': {
			find: "'paid', 'authorized', 'partially_refunded', 'refunded'",
			replace: "'paid', 'authorized', 'pending', 'partially_refunded', 'refunded'",
		},
		'A Shopify order of 800 grams is announced with 0.8 kilograms.': {
			find: 'weight / 1000',
			replace: 'weight / 100',
		},
		'A WooCommerce order goes to its delivery address.': {
			find: "[of('shipping'), of('billing')], 'address_1'",
			replace: "[of('billing'), of('shipping')], 'address_1'",
		},
		'The value of a shipment is without the goods that WooCommerce has refunded.': {
			find: 'price: total,\n\t\t\tbranchId: point.code,\n\t\t\tcod: payment.cod,\n\t\t\tcodPrice: total,',
			replace:
				"price: of('total'),\n\t\t\tbranchId: point.code,\n\t\t\tcod: payment.cod,\n\t\t\tcodPrice: total,",
		},
		'The pickup point is read by its key, not by its place.': {
			find: 'of.find((entry) => keyOf(entry) === key && !isEmpty(entry.value))?.value',
			replace: 'of[0]?.value',
		},
		'Of two pickup points that differ, none is chosen.': {
			find: 'if (codes.size < 2)',
			replace: 'if (codes.size < 20)',
		},
		'An order without a delivery address goes to the billing address.': {
			find: 'addresses.find((each) => !isEmpty(at(each, street))) ??',
			replace: 'addresses.find((each) => isRecord(each)) ??',
		},
		'Nothing is collected for an order that a voucher has paid.': {
			find: 'due === 0 ? false : readMethod(payment, codMethods)',
			replace: 'readMethod(payment, codMethods)',
		},
		'Cash on delivery is collected although WooCommerce dates the order as paid.': {
			find: 'isPaid && (!isCod || isDelivered)',
			replace: 'isPaid',
		},
		'What WooCommerce has refunded is not collected.': {
			find: "[of('refunds') ?? []].flat()",
			replace: '([] as unknown[])',
		},
		'A rest in the currency of the shop is not collected in that of the customer.': {
			find: 'if (due === total && amount !== undefined)',
			replace: 'if (amount !== undefined)',
		},
		'What a deposit has paid is not collected, also if the user sets cash on delivery.': {
			find: 'codPrice: due,\n\t\t\tcodCurrency: of(',
			replace: 'codPrice: payment.cod === false ? total : due,\n\t\t\tcodCurrency: of(',
		},
		'A customer of an order with nothing to ship is not asked for an address.': {
			find: '!address && reasons.length === 0',
			replace: '!address',
		},
		'An order to pick up at the shop is not shipped to a pickup point by mistake.': {
			find: "const PICKED_UP = problemOf(\n\t'branchId',",
			replace: "const PICKED_UP = problemOf(\n\t'orderData',",
		},
		'An order whose payment by card was given up does not ship.': {
			find: 'else if (isPending && cod !== false',
			replace: 'else if (!isPending && cod !== false',
		},
	},
});
