import { refusedError } from '../../../nodes/ParcelShipping/creation/messages';
import { hintsOf } from '../../../nodes/ParcelShipping/creation/output';
import type { OrderOutcome } from '../../../nodes/ParcelShipping/creation/types';
import { orderWith } from '../../support/orders';

describe("A refused order has the carrier's message as one sentence", () => {
	const messageOf = (carrierErrors: unknown, message: string | null = 'Failed') => {
		const row = { id: 0, statusCode: 400, message, carrierErrors: carrierErrors as string };
		return refusedError('ANT', row, null).message;
	};

	test.each<[string, unknown, string]>([
		['a text', 'Recipient phone is missing', 'Recipient phone is missing'],
		['an empty list', [], 'Failed'],
		['null', null, 'Failed'],
		['a list of texts', ['Phone is missing', 'Zip is invalid'], 'Phone is missing; Zip is invalid'],
		[
			'a list of errors with a path',
			[
				{
					errorCode: 'InvalidUserInputError',
					message: 'String must contain at least 3 character(s)',
					reference: '0 -> receiver -> address -> postalCode',
				},
			],
			'receiver address postal code: String must contain at least 3 character(s)',
		],
	])('from %s', (_, carrierErrors, expected) => {
		expect(messageOf(carrierErrors)).toBe(expected);
	});

	test.each([
		['branchId is missing', 'In the form: Pickup Point Code (branchId). Correct'],
		['vs must be digits', "In the form: Variable Symbol (vs), under 'Add Field to Send'. Correct"],
		[
			'recPhone and recEmail are missing',
			'In the form: Recipient Phone (recPhone), Recipient Email (recEmail). Correct',
		],
		['No such street', 'did not accept this shipment. Correct'],
	])('and names the fields of the form: %s', (carrierErrors, expected) => {
		const row = { id: 0, statusCode: 400, carrierErrors };
		expect(refusedError('ANT', row, null).description).toContain(expected);
	});

	test('and a general one if the carrier sends nothing', () => {
		expect(messageOf([], '')).toBe('ANT refused the shipment');
	});
});

test('shipments with fewer pieces than ordered are one hint', () => {
	const existing = (index: number): OrderOutcome => ({
		about: [orderWith(`A-${index}`, { itemIndex: index, pieceCount: 3 })],
		outcome: {
			kind: 'done',
			value: { pieces: [{ row: { id: index }, batch: null, via: 'existing' }] },
		},
	});
	expect(hintsOf([existing(1)])).toContain(
		'1 shipment has fewer pieces than ordered: A-1 (item 1, 1 of 3 pieces).',
	);
	const many = Array.from({ length: 7 }, (_, index) => existing(index));
	expect(hintsOf(many)[1]).toMatch(
		/^7 shipments have fewer pieces than ordered: A-0 \(item 0, 1 of 3 pieces\), .* and 2 more\.$/,
	);
});
