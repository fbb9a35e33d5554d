import { defectsIn } from '../defect';

export const orderDefects = defectsIn('nodes/ParcelShipping/orders/', {
	'countries.ts': {
		'An order to SVK goes to Slovakia, not to Slovenia.': {
			find: 'SVK SK, SVN SI',
			replace: 'SVK SI, SVN SK',
		},
	},
	'kinds.ts': {
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
	'cashOnDelivery.ts': {
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
		'An amount with a forgotten switch is refused instead of shipped for free.': {
			find: '/^\\s*false\\s*$/i.test(String(cod))',
			replace: 'false',
		},
		'An order with 0 from a database and an amount is refused instead of shipped for free.': {
			find: 'return cod === 0 ?',
			replace: 'return cod === undefined ?',
		},
		'A prepaid order of a file that has 0 for it is shipped.': {
			find: '/^\\s*false\\s*$/i',
			replace: '/^\\s*(false|0)\\s*$/i',
		},
		'In a shop whose payment methods are numbers, 0 is no forgotten switch.': {
			find: '!isNumberOfMethod(cod, codMethods)',
			replace: 'true',
		},
	},
	'values.ts': {
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
	'carrierLimits.ts': {
		'A note of a shop that is too long loses whole words.': {
			find: ".replace(/\\s+\\S*$/, '')",
			replace: '',
		},
	},
	'shops.ts': {
		'A Shopify order that the customer picks up at the shop is not shipped to the billing address.':
			{
				find: "addressPaths: ['shipping_address'],",
				replace: "addressPaths: ['shipping_address', 'billing_address'],",
			},
		'A Shoptet order that was sold at the cash desk is not shipped.': {
			find: "path: 'cashDeskOrder', values: ['true']",
			replace: "path: 'cashDeskOrder', values: ['yes']",
		},
		'A Shopify order that was refunded does not ship.': {
			find: "values: ['refunded', 'voided']",
			replace: "values: ['voided']",
		},
		'An order that the customer picks up at the shop does not ship.': {
			find: "values: ['local_pickup', 'pickup_location'],",
			replace: "values: ['local_pickup:1'],",
		},
		'A canceled Shoptet order does not ship, whatever the shop calls its status.': {
			find: "values: ['-4']",
			replace: "values: ['-3']",
		},
		'An order that was not paid before its payment expired does not ship.': {
			find: "values: ['expired']",
			replace: "values: ['voided']",
		},
		'Cash on delivery of Shopify is read after two other methods.': {
			find: "methods: ['payment_gateway_names']",
			replace: "methods: ['payment_gateway_names.0', 'payment_gateway_names.1']",
		},
		'A method that nobody knows is asked about, although a gift card has paid a part.': {
			find: "partial: ['gift_card'],",
			replace: 'partial: [],',
		},
		'The ID of an order is that of the shop, not its number.': {
			find: "packageNumberCustom: ['number'],\n\t\t\tshopOrderId: ['id'],",
			replace: "packageNumberCustom: ['number'],\n\t\t\tshopOrderId: ['number'],",
		},
		'A Shoptet customer who has paid a deposit pays only the rest on delivery.': {
			find: "amount: ['price.toPay', 'price.withVat']",
			replace: "amount: ['price.withVat', 'price.toPay']",
		},
		'A Shopify customer who has paid with a gift card pays only the rest on delivery.': {
			find: "amount: ['total_outstanding', 'current_total_price', 'total_price']",
			replace: "amount: ['current_total_price', 'total_price', 'total_outstanding']",
		},
		'A Shopify order that waits for its payment does not count as paid.': {
			find: "values: ['paid', 'authorized', 'partially_refunded', 'refunded']",
			replace: "values: ['paid', 'authorized', 'pending', 'partially_refunded', 'refunded']",
		},
		'A Shopify order of 800 grams is announced with 0.8 kilograms.': {
			find: 'unitsPerKilogram: 1000',
			replace: 'unitsPerKilogram: 100',
		},
		'A WooCommerce order goes to its delivery address.': {
			find: "addressPaths: ['shipping', 'billing']",
			replace: "addressPaths: ['billing', 'shipping']",
		},
	},
	'shopOrder.ts': {
		'The value of a shipment is without the goods that WooCommerce has refunded.': {
			find: 'values.price = withoutRefunds(values.price, order, shop.payment);',
			replace: 'values.price = toNumber(values.price) ?? values.price;',
		},
		'The pickup point is read by its key, not by its place.': {
			find: 'of.find((entry) => keyOf(entry) === key && !isEmpty(entry.value))?.value',
			replace: 'of[0]?.value',
		},
		'Of two pickup points that differ, none is chosen.': {
			find: 'if (codes.size === 1)',
			replace: 'if (codes.size > 0)',
		},
		'An order without a delivery address goes to the billing address.': {
			find: 'addresses.find((each) => !isEmpty(at(each, shop.street))) ??',
			replace: 'addresses.find((each) => isRecord(each)) ??',
		},
		'Nothing is collected for an order that a voucher has paid.': {
			find: 'due === 0 ? false : readPayment(order, shop.payment, codMethods)',
			replace: 'readPayment(order, shop.payment, codMethods)',
		},
		'Cash on delivery is collected although WooCommerce dates the order as paid.': {
			find: 'fits(order, paid) && (!isCod || !delivered || fits(order, delivered))',
			replace: 'fits(order, paid)',
		},
		'What WooCommerce has refunded is not collected.': {
			find: 'refunds ? [at(order, refunds.list) ?? []].flat() : []',
			replace: '[] as unknown[]',
		},
		'A rest in the currency of the shop is not collected in that of the customer.': {
			find: 'if (due === values.price && amount !== undefined) {',
			replace: 'if (amount !== undefined) {',
		},
		'A canceled order does not ship.': {
			find: '...reasons,',
			replace: '',
		},
		'What a deposit has paid is not collected, also if the user sets cash on delivery.': {
			find: '...setAmount(values, due, order, shop),',
			replace: '...(values.cod === false ? [] : setAmount(values, due, order, shop)),',
		},
		'A customer of an order with nothing to ship is not asked for an address.': {
			find: 'hasNoAddress && reasons.length === 0',
			replace: 'hasNoAddress',
		},
		'An order to pick up at the shop is not shipped to a pickup point by mistake.': {
			find: 'if (!unlessPickupPoint) return',
			replace: 'if (unlessPickupPoint) return',
		},
		'An order whose payment by card was given up does not ship.': {
			find: '|| !fits(order, pending)) return [];',
			replace: '|| fits(order, pending)) return [];',
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
	'validate.ts': {
		'Cash on delivery without a currency is refused before it is sent.': {
			find: '...(body.cod ? COD_TERMS : []),',
			replace: "...(body.cod ? ['codPrice' as const] : []),",
		},
	},
	'offers.ts': {
		'A service that does not say whether it accepts a sender address gets the order.': {
			find: 'if (service?.[`${prefix}AddressEnabled`] !== false) return [];',
			replace: 'if (!service || service[`${prefix}AddressEnabled`]) return [];',
		},
		'A service with an empty list of countries gets the order.': {
			find: 'if (!country || branchId || !service?.countries?.length || serves(service)) return [];',
			replace: 'if (!country || branchId || !service?.countries || serves(service)) return [];',
		},
		'An order to a pickup point abroad is not refused because of the address.': {
			find: 'if (!country || branchId ||',
			replace: 'if (!country ||',
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
	},
	'readFields.ts': {
		'48.50 € are not collected as 48.50 CZK.': {
			find: 'problems: [...problems, ...ofCurrency]',
			replace: 'problems',
		},
		'The phone of a German billing address is not called in the Czech Republic.': {
			find: 'ownCountry ?? body[countryField]',
			replace: 'body[countryField]',
		},
		'A currency without an amount is not sent if nothing is collected.': {
			find: 'body.codPrice === 0 || (body.cod === false && body.codPrice === undefined);',
			replace: 'body.codPrice === 0;',
		},
		'An amount that is not collected is shown by the dry run.': {
			find: 'cleaned[name] = [given[name], null];',
			replace: '{}',
		},
		'Without an amount, the recipient pays the value of the shipment.': {
			find: 'return cod === true ? price : undefined;',
			replace: 'return undefined;',
		},
		'A shipment that is insured for 50 € is not insured for 50 CZK.': {
			find: "if (name !== 'insuranceCurrency' && (",
			replace: 'if ((',
		},
		'Two different names in one order are refused instead of one of them chosen.': {
			find: 'wordsOf(name).every((word)',
			replace: 'wordsOf(name).some((word)',
		},
	},
	'readForm.ts': {
		'An order that a rule gives to another service of the same carrier gets no additional services of the form.':
			{
				find: 'isSameCode(inForm?.serviceType, chosen.serviceType);',
				replace: 'inForm !== undefined;',
			},
		'A note of the metadata that is too long does not keep an order from being shipped.': {
			find: "isOfShop('note') || isFromMetadata('note')",
			replace: "isOfShop('note')",
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
	},
	'readGiven.ts': {
		'An order with a pickup point is shipped to it, although its method is a pickup at the shop.': {
			find: "['branchId', 'recStreet'].includes(field)",
			replace: "field === 'recStreet'",
		},
		'A service in Additional Fields, which is not used, is refused.': {
			find: "problems.push(invalid('additionalFields', { serviceType }, WITHOUT_SERVICE));",
			replace: 'problems.push();',
		},
		'A part of a name in Additional Fields replaces that of an order.': {
			find: 'override(shopOrder?.values ?? {}, ofUser) : ofUser)',
			replace: '{ ...shopOrder?.values, ...ofUser } : ofUser)',
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
			find: '\tsetDefaultWeight(values, settings);\n',
			replace: '\tif (isEmpty(additional.weight)) setDefaultWeight(values, settings);\n',
		},
		'Shops with the same order numbers ship with a prefix each.': {
			find: '`${prefix}${number}`',
			replace: 'number',
		},
	},
	'readOrders.ts': {
		'Two items with one order number and two carriers do not ship twice.': {
			find: 'groupBy(valid, referenceOf)',
			replace: 'groupBy(valid, (order) => order.carrierCode + referenceOf(order))',
		},
		'Two items of one order number are not merged if only the second one has cash on delivery.': {
			find: 'return Object.keys({ ...a, ...b })',
			replace: 'return Object.keys(a)',
		},
	},
	'rules.ts': {
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
});
