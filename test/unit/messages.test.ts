// What the user reads for each form of error that a provider may send: the message, and below it what
// to do, unless it is the same as in the line before. After a change, read the snapshots from top to bottom.
import { refusedError, unknownError } from '../../nodes/ParcelShipping/creation/messages';
import { type EndpointName, endpoints } from '../../nodes/ParcelShipping/transport/endpoints';
import { describeError } from '../../nodes/ParcelShipping/transport/errors';
import { readResponse } from '../../nodes/ParcelShipping/transport/response';
import { orderWith } from '../support/orders';

const ENTITY = { errorCode: 404, message: 'Entity not found', reference: '16948' };
const LOCKED = { errorCode: 7, message: 'The account is locked.', reference: null };
/** The error of a response. */
function failureOf(name: EndpointName, status: number, body: unknown): unknown {
	const endpoint = endpoints[name];
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	try {
		readResponse(endpoint, endpoint.title, { statusCode: status, headers: {}, body: text });
	} catch (thrown) {
		return thrown;
	}
	throw new Error('An error was expected');
}

/** Each case with its message and its description. */
function print(cases: Record<string, unknown>): string {
	let last = '';
	const lines = Object.entries(cases).flatMap(([name, error]) => {
		const { message, description } = describeError(error);
		// Every text must read like a sentence. Quotes mark names of the provider and of the form.
		expect(`${message} ${description}`).not.toMatch(/[{}[\]]|undefined|null,|\.\.|[,;:.] ?[;:.]/);
		const shown = description === last ? [] : [`  ${description}`];
		last = description;
		return [`${name}: ${message}`, ...shown];
	});
	return `\n${lines.join('\n')}\n`;
}

test('Requests', () => {
	const refused = (status: number, body: unknown) => failureOf('findShipments', status, body);
	expect(
		print({
			'400, a list of errors': refused(400, { result: null, errors: [ENTITY, LOCKED] }),
			'403, an error': refused(403, { errors: [LOCKED] }),
			'404, an error': refused(404, { result: null, errors: [ENTITY] }),
			'429, an error': refused(429, { errors: [{ message: 'Wait until the next interval' }] }),
		}),
	).toMatchInlineSnapshot(`
		"
		400, a list of errors: The provider said: Entity not found (16948); The account is locked
		  Correct the values and run the workflow again.
		403, an error: The provider does not allow this request (403). The provider said: The account is locked
		  The secret is accepted, but the account has no permission for this. Ask the provider's support to allow it.
		404, an error: The provider said: Entity not found (16948)
		  Check that it exists. Check that 'Base URL' of the credential ends with the provider's API path.
		429, an error: The provider is rate-limiting requests (429). The provider said: Wait until the next interval
		  Run the workflow later, or lower 'Max Parallel Requests' or raise 'Max Retry Wait' of the credential.
		"
	`);
});

test('Creations with an unknown outcome', () => {
	const order = orderWith('A-1');
	const lost = (status: number, body: unknown) => {
		const reason = describeError(failureOf('createShipments', status, body));
		return unknownError({ order, reason });
	};
	expect(
		print({
			'200, no rows': lost(200, { result: null, errors: [LOCKED] }),
			'500, a message': lost(500, { message: 'No stock' }),
			'a row that may be its own': unknownError({ order, mayBe: [{ id: 5, number: '' }] }),
			'sent before, and no list': unknownError({ order, problem: new Error('Down') }),
		}),
	).toMatchInlineSnapshot(`
		"
		200, no rows: Could not confirm whether ANT created the shipment of order "A-1"
		  The provider said: The account is locked. The records do not show it. Not retried automatically, to avoid a duplicate. It is safe to run the workflow again in five minutes: it looks for the shipment first and sends only what does not exist.
		500, a message: Could not confirm whether ANT created the shipment of order "A-1"
		  The provider could not complete the request (500). The provider said: No stock. The records do not show it. Not retried automatically, to avoid a duplicate. It is safe to run the workflow again in five minutes: it looks for the shipment first and sends only what does not exist.
		a row that may be its own: Could not confirm whether ANT created the shipment of order "A-1". It may be ID 5
		  It was sent before, and the response was incomplete. The records do not show it. Not retried automatically, to avoid a duplicate. Look for the shipment at the provider before you send it again.
		sent before, and no list: Could not confirm whether ANT created the shipment of order "A-1"
		  It was sent before, and the response was incomplete. The records could not be read: Down. Not retried automatically, to avoid a duplicate. It is safe to run the workflow again in five minutes: it looks for the shipment first and sends only what does not exist.
		"
	`);
});

test('Rows of a creation', () => {
	const refused = (row: object) =>
		refusedError(orderWith('#1001'), { statusCode: 400, ...row }, null);
	const phone = '4002: recPhone is missing; 4007: recName is too long';
	expect(
		print({
			'carrierErrors, a text': refused({ carrierErrors: 'Unknown pickup point' }),
			'carrierErrors and message, null': refused({ carrierErrors: null, message: null }),
			'carrierErrors, codes': refused({ carrierErrors: phone }),
			'message, an order number': refused({ message: 'package.packagenumbercustom.invalid' }),
		}),
	).toMatchInlineSnapshot(`
		"
		carrierErrors, a text: Unknown pickup point
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.
		carrierErrors and message, null: ANT refused the shipment
		carrierErrors, codes: 4002: Recipient Phone is missing; 4007: Recipient Name is too long
		message, an order number: Invalid Order Number: "#1001" (package.packagenumbercustom.invalid)
		  ANT did not accept this shipment. An 'Order Number' may have at most 30 characters: letters, digits, -, / and _. Correct the values of the item and run the workflow again. Shipments that were created are not created again.
		"
	`);
});
