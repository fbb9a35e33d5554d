import type { RecipientFieldName, CreationFields } from './field';

export const recipientFields = {
	recName: {
		label: 'Recipient Name',
		kind: 'text',
		description: 'Name of the recipient',
		example: 'Jana Nováková',
		shownAtOnce: true,
	},
	recCompany: {
		label: 'Recipient Company',
		kind: 'text',
		description: 'Company of the recipient',
		example: 'Novák a syn s.r.o.',
		shownAtOnce: true,
	},
	recStreet: {
		label: 'Recipient Street',
		kind: 'text',
		description: 'Street and house number of the recipient',
		example: 'Dlouhá 12',
		shownAtOnce: true,
	},
	recCity: {
		label: 'Recipient City',
		kind: 'text',
		description: 'City of the recipient',
		example: 'Praha',
		shownAtOnce: true,
	},
	recZip: {
		label: 'Recipient Postal Code',
		kind: 'text',
		description: 'Postal code of the recipient, with its leading zeros',
		example: '01001',
		shownAtOnce: true,
	},
	recCountry: {
		label: 'Recipient Country Code',
		kind: 'country',
		description: 'Country of the recipient as two capital letters (ISO 3166)',
		example: 'CZ',
		shownAtOnce: true,
	},
	recPhone: {
		label: 'Recipient Phone',
		kind: 'phone',
		description: 'Phone of the recipient: plus sign, country prefix, digits, no spaces',
		example: '+420777123456',
		shownAtOnce: true,
	},
	recEmail: {
		label: 'Recipient Email',
		kind: 'email',
		description: 'E-mail address of the recipient',
		example: 'jana@example.com',
		shownAtOnce: true,
	},
} as const satisfies CreationFields<RecipientFieldName>;
