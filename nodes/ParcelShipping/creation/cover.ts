import type { CoverFieldName, CreationFields } from './field';

/** Shown to the recipient in place of the sender; not every service takes it. */
export const coverFields = {
	coverName: {
		label: 'Cover Name',
		kind: 'text',
		description: 'Name shown in place of the sender',
		example: 'Žofie Šťastná',
	},
	coverCompany: {
		label: 'Cover Company',
		kind: 'text',
		description: 'Company of the cover address',
		example: 'Novák a syn s.r.o.',
	},
	coverStreet: {
		label: 'Cover Street',
		kind: 'text',
		description: 'Street and house number of the cover address',
		example: 'Dlouhá 12',
	},
	coverCity: {
		label: 'Cover City',
		kind: 'text',
		description: 'City of the cover address',
		example: 'Praha',
	},
	coverZip: {
		label: 'Cover Postal Code',
		kind: 'text',
		description: 'Postal code of the cover address, with its leading zeros',
		example: '01001',
	},
	coverCountry: {
		label: 'Cover Country Code',
		kind: 'country',
		description: 'Country of the cover address as two capital letters (ISO 3166)',
		example: 'CZ',
	},
	coverPhone: {
		label: 'Cover Phone',
		kind: 'phone',
		description: 'Phone of the cover address: plus sign, country prefix, digits, no spaces',
		example: '+420777123456',
	},
	coverEmail: {
		label: 'Cover Email',
		kind: 'email',
		description: 'E-mail address of the cover address',
		example: 'shop@example.com',
	},
} as const satisfies CreationFields<CoverFieldName>;
