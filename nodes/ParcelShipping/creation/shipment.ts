import type { CreationFields, ShipmentFieldName } from './field';

export const shipmentFields = {
	packageNumberCustom: {
		label: 'Custom Shipment Number',
		kind: 'text',
		description: 'Your own number or name of the shipment, a different one for each',
		example: 'WEB-2026-0042',
		required: true,
		shownAtOnce: true,
	},
	price: {
		label: 'Price',
		kind: 'amount',
		description: 'Value of the shipment',
		example: '1200.50',
		required: true,
		shownAtOnce: true,
	},
	pieceCount: {
		label: 'Piece Count',
		kind: 'count',
		description: 'Number of pieces, when more than one; some carriers take one only',
		example: '2',
	},
	branchId: {
		label: 'Pickup Point Code',
		kind: 'text',
		description:
			"Code of the pickup point in the carrier's system, for services that deliver to one",
		example: 'P-001',
	},
	cod: {
		label: 'Cash on Delivery',
		kind: 'yesNo',
		description: 'Whether the recipient pays on delivery',
		example: 'true',
	},
	codPrice: {
		label: 'Cash on Delivery Amount',
		kind: 'amount',
		description: 'What the recipient pays on delivery',
		example: '1200.50',
	},
	codCurrency: {
		label: 'Cash on Delivery Currency',
		kind: 'currency',
		description: 'Currency of the cash-on-delivery amount, three letters',
		example: 'CZK',
	},
	vs: {
		label: 'Variable Symbol',
		kind: 'text',
		description: 'Variable symbol of the cash-on-delivery payment',
		example: '0000012',
	},
	orderId: {
		// Whose ID it is stands in the label because the form shows nothing else: an e-shop's own
		// order number put here attaches somebody else's order.
		label: 'Order ID in the Shipping Service',
		kind: 'recordId',
		description:
			"ID of an order in the service's own administration to attach to the shipment; not your e-shop's order number",
		example: '501',
	},
} as const satisfies CreationFields<ShipmentFieldName>;
