import type { SenderFieldName, CreationFields } from './field';

/** For a pickup at another place than the usual one, as for returns; not every service takes it. */
export const senderFields = {
	senderName: {
		label: 'Sender Name',
		kind: 'text',
		description: 'Name of the sender, where the shipment is picked up',
		example: 'Jana Nováková',
	},
	senderCompany: {
		label: 'Sender Company',
		kind: 'text',
		description: 'Company of the sender',
		example: 'Novák a syn s.r.o.',
	},
	senderStreet: {
		label: 'Sender Street',
		kind: 'text',
		description: 'Street and house number of the sender',
		example: 'Dlouhá 12',
	},
	senderCity: {
		label: 'Sender City',
		kind: 'text',
		description: 'City of the sender',
		example: 'Praha',
	},
	senderZip: {
		label: 'Sender Postal Code',
		kind: 'text',
		description: 'Postal code of the sender, with its leading zeros',
		example: '01001',
	},
	senderCountry: {
		label: 'Sender Country Code',
		kind: 'country',
		description: 'Country of the sender as two capital letters (ISO 3166)',
		example: 'CZ',
	},
	senderPhone: {
		label: 'Sender Phone',
		kind: 'phone',
		description: 'Phone of the sender: plus sign, country prefix, digits, no spaces',
		example: '+420777123456',
	},
	senderEmail: {
		label: 'Sender Email',
		kind: 'email',
		description: 'E-mail address of the sender',
		example: 'jana@example.com',
	},
} as const satisfies CreationFields<SenderFieldName>;
