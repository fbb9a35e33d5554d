import type { INodeProperties } from 'n8n-workflow';

export const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	default: ['all'],
	description:
		'Which events start the workflow. With an expression, any category of the service can be given. Events that are left out count as seen: they are not caught up on when the choice changes.',
	// `action` is what the nodes panel offers; without it, it would say "On all".
	options: [
		{
			name: 'All',
			value: 'all',
			action: 'On any tracking event',
			description: 'Every event',
		},
		{
			name: 'Canceled',
			value: 'canceled',
			action: 'On shipment canceled',
			description: 'The shipment was canceled',
		},
		{
			name: 'Created',
			value: 'Created',
			action: 'On shipment created',
			description: 'The shipment was created',
		},
		{
			name: 'Delivered',
			value: 'delivered',
			action: 'On shipment delivered',
			description: 'The shipment was delivered',
		},
		{
			name: 'Ordered',
			value: 'Ordered',
			action: 'On shipment announced to the carrier',
			description: 'The carrier knows of the shipment',
		},
		{
			name: 'Transit at the Carrier',
			value: 'TransitCarrier',
			action: 'On shipment taken over by the carrier',
			description: 'The carrier has the shipment',
		},
		{
			name: 'Transit on the Way',
			value: 'TransitOnTheWay',
			action: 'On shipment on its way',
			description: 'The shipment is on its way',
		},
	],
};
