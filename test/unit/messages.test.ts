// What the user reads for each form of error that a service may send: the message, and below it what
// to do. After a change, read the snapshots from top to bottom.
import { refusedError, unknownError } from '../../nodes/ParcelShipping/creation/messages';
import { noLabelsError } from '../../nodes/ParcelShipping/labels/files';
import { explainPrintError, notAcceptedError } from '../../nodes/ParcelShipping/labels/print';
import { rowOf } from '../../nodes/ParcelShipping/transport/trackingRequests';
import type { EndpointName, TrackingResult } from '../../nodes/ParcelShipping/transport/contract';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { endpointOf } from '../../nodes/ParcelShipping/transport/endpoints';
import { describeError } from '../../nodes/ParcelShipping/transport/errors';
import { readResponse } from '../../nodes/ParcelShipping/transport/response';
import { readToken } from '../../nodes/ParcelShipping/transport/signIn';
import { orderWith } from '../support/orders';

const ENTITY = { errorCode: 404, message: 'Entity not found', reference: '16948' };
const LOCKED = { errorCode: 7, message: 'The account is locked.', reference: null };
const POSTAL_CODE = {
	errorCode: 'InvalidUserInputError',
	message: 'String must contain at least 3 character(s)',
	reference: '0 -> receiver -> address -> postalCode',
};
const problemDetails = (more: object) => ({
	type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
	title: 'One or more validation errors occurred.',
	status: 400,
	traceId: '00-4bf92f35',
	...more,
});
const page = '<!doctype html><html><head><title>Sign in</title></head></html>';

/** The error of a response. */
function failureOf(name: EndpointName, status: number, body: unknown): unknown {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	try {
		readResponse(endpointOf(name), { status, headers: {}, body: text }, 0);
	} catch (thrown) {
		return thrown;
	}
	throw new Error('The response was expected to be an error');
}

/** Each case with its message and its description. */
function print(cases: Record<string, unknown>): string {
	const blocks = Object.entries(cases).map(([name, error]) => {
		const { message, description } = describeError(error);
		// Every text must read like a sentence. Quotes mark names of the service and of the form.
		expect(`${message} ${description}`).not.toMatch(/[{}[\]]|undefined|null,|\.\.|[,;:.] ?[;:.]/);
		return [name, `  ${message}`, ...(description ? [`  ${description}`] : [])].join('\n');
	});
	return `\n${blocks.join('\n\n')}\n`;
}

test('Requests', () => {
	const refused = (status: number, body: unknown) => failureOf('findShipments', status, body);
	expect(
		print({
			'400, values by field': refused(
				400,
				problemDetails({ errors: { length: ['Too long.'], '$.createdFrom': ['Not a date.'] } }),
			),
			'400, a title': refused(400, problemDetails({})),
			'400, a detail': refused(400, problemDetails({ detail: 'The filter is too broad.' })),
			'400, a list of errors': refused(400, { result: null, errors: [ENTITY, LOCKED] }),
			'400, a list of texts': refused(400, { errors: ['Start is missing', 'Length is missing'] }),
			'400, an error for a field': refused(400, { errors: [POSTAL_CODE] }),
			'400, a code without a message': refused(400, {
				errors: [{ errorCode: 'RequestTooLarge', message: null, reference: null }],
			}),
			'400, an empty list': refused(400, { result: null, errors: [] }),
			'400, a message': refused(400, { message: 'The filter is wrong' }),
			'401, a text': refused(401, 'Token missing'),
			'401, an error': refused(401, { errors: [{ errorCode: 401, message: 'Invalid token' }] }),
			'403, empty': refused(403, ''),
			'403, an error': refused(403, { errors: [LOCKED] }),
			'404, an error': refused(404, { result: null, errors: [ENTITY] }),
			'404, empty': refused(404, ''),
			'405, empty': refused(405, ''),
			'429, an error': refused(429, {
				errors: [{ errorCode: 429, message: 'Wait until the next interval' }],
			}),
			'500, a message': refused(500, { message: 'Object reference not set' }),
			'502, a page': refused(502, page),
			'503, empty': refused(503, ''),
			'200, no result and a list of errors': refused(200, { result: null, errors: [ENTITY] }),
			'200, no result and an empty list': refused(200, { result: null, errors: [] }),
			'200, a page': refused(200, page),
			'200, half an answer': refused(200, '{"result":'),
		}),
	).toMatchInlineSnapshot(`
		"
		400, values by field
		  The service said: length: Too long; created from: Not a date
		  Correct the values of this item according to the message of the service.

		400, a title
		  The service said: One or more validation errors occurred
		  Correct the values of this item according to the message of the service.

		400, a detail
		  The service said: The filter is too broad
		  Correct the values of this item according to the message of the service.

		400, a list of errors
		  The service said: Entity not found (16948); The account is locked
		  Correct the values of this item according to the message of the service.

		400, a list of texts
		  The service said: Start is missing; Length is missing
		  Correct the values of this item according to the message of the service.

		400, an error for a field
		  The service said: receiver address postal code: String must contain at least 3 character(s)
		  Correct the values of this item according to the message of the service.

		400, a code without a message
		  The service said: RequestTooLarge
		  Correct the values of this item according to the message of the service.

		400, an empty list
		  The service refused the request (400)
		  The service gave no reason. Check the values of this item.

		400, a message
		  The service said: The filter is wrong
		  Correct the values of this item according to the message of the service.

		401, a text
		  The service refused the credential (401)
		  Open the credential and check its authentication. The service said: Token missing.

		401, an error
		  The service refused the credential (401)
		  Open the credential and check its authentication. The service said: Invalid token.

		403, empty
		  The service does not allow this request (403)
		  The secret is accepted, but the account has no permission for this. Ask the service's support to allow it.

		403, an error
		  The service does not allow this request (403)
		  The secret is accepted, but the account has no permission for this. Ask the service's support to allow it. The service said: The account is locked.

		404, an error
		  The service said: Entity not found (16948)
		  Check that the requested record exists, and that the Base URL of the credential ends with the service's API path.

		404, empty
		  The service refused the request (404)
		  Check that the requested record exists, and that the Base URL of the credential ends with the service's API path.

		405, empty
		  The service refused the request (405)
		  Check that the requested record exists, and that the Base URL of the credential ends with the service's API path.

		429, an error
		  The service is rate-limiting requests (429)
		  Run the workflow later, or lower Max Concurrency in the options. The service said: Wait until the next interval.

		500, a message
		  The service could not complete the request (500)
		  Run the workflow again later. If this persists, contact the service's support. The service said: Object reference not set.

		502, a page
		  The service could not complete the request (502)
		  Run the workflow again later. If this persists, contact the service's support.

		503, empty
		  The service could not complete the request (503)
		  Run the workflow again later. If this persists, contact the service's support.

		200, no result and a list of errors
		  The service said: Entity not found (16948)
		  The response has no usable result: "result" is null. Correct the values of this item according to the message of the service.

		200, no result and an empty list
		  List shipments: Unexpected response
		  "result" is null. Check that the Base URL of the credential ends with the service's API path.

		200, a page
		  List shipments: The service returned a web page instead of data
		  It may be a login or maintenance page ("Sign in"). Check that the Base URL of the credential ends with the service's API path.

		200, half an answer
		  List shipments: The response is incomplete or unreadable
		  Run the workflow again. If this persists, contact the service's support.
		"
	`);
});

test('Creations that are refused or unclear as a whole', () => {
	const unclear = (reason: string) =>
		unknownError(orderWith('A-1'), 'reuse', {
			since: '2026-11-20',
			reason,
			correlationId: 'c-1',
			searches: 3,
			searchError: undefined,
			possibleIds: [],
			unmatchedIds: [],
		});
	const failure = (status: number, body: unknown) => failureOf('createShipments', status, body);
	expect(
		print({
			'400, values by field': failure(
				400,
				problemDetails({ errors: { '$[0].recZip': ['The field recZip is required.'] } }),
			),
			'400, no rows and a list of errors': failure(400, { result: null, errors: [POSTAL_CODE] }),
			'200, no rows, then nothing found': unclear(
				describeError(failure(200, { result: null, errors: [LOCKED] })).message,
			),
			'500, then nothing found': unclear(describeError(failure(500, '')).message),
		}),
	).toMatchInlineSnapshot(`
		"
		400, values by field
		  The service said: rec zip: The field recZip is required
		  Correct the values of this item according to the message of the service.

		400, no rows and a list of errors
		  The service said: receiver address postal code: String must contain at least 3 character(s)
		  Correct the values of this item according to the message of the service.

		200, no rows, then nothing found
		  Could not confirm whether ANT created shipment Custom Shipment Number "A-1"
		  It was sent once. The service said: The account is locked. Searched 3 times for shipments with this number at ANT, created since 2026-11-20: found none. It is safe to run the workflow again: it looks for the shipment first and sends only what does not exist. If the service is slow, wait until it has caught up.

		500, then nothing found
		  Could not confirm whether ANT created shipment Custom Shipment Number "A-1"
		  It was sent once. The service could not complete the request (500). Searched 3 times for shipments with this number at ANT, created since 2026-11-20: found none. It is safe to run the workflow again: it looks for the shipment first and sends only what does not exist. If the service is slow, wait until it has caught up.
		"
	`);
});

test('Rows of a creation', () => {
	const refused = (row: object) =>
		refusedError('ANT', { statusCode: 400, packageNumberCustom: 'A-1', ...row }, null);
	expect(
		print({
			'carrierErrors, a text': refused({ carrierErrors: 'Unknown pickup point' }),
			'carrierErrors, a list': refused({ carrierErrors: [POSTAL_CODE] }),
			'carrierErrors, JSON in a text': refused({ carrierErrors: JSON.stringify([POSTAL_CODE]) }),
			'carrierErrors, an empty list and a message': refused({
				carrierErrors: [],
				message: 'Invalid phone',
			}),
			'carrierErrors and message, null': refused({ carrierErrors: null, message: null }),
			'message, a list': refused({ message: [POSTAL_CODE, LOCKED] }),
		}),
	).toMatchInlineSnapshot(`
		"
		carrierErrors, a text
		  Unknown pickup point
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.

		carrierErrors, a list
		  receiver address postal code: String must contain at least 3 character(s)
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.

		carrierErrors, JSON in a text
		  receiver address postal code: String must contain at least 3 character(s)
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.

		carrierErrors, an empty list and a message
		  Invalid phone
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.

		carrierErrors and message, null
		  ANT refused the shipment
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.

		message, a list
		  receiver address postal code: String must contain at least 3 character(s); The account is locked
		  ANT did not accept this shipment. Correct the values of the item and run the workflow again. Shipments that were created are not created again.
		"
	`);
});

test('Labels', () => {
	expect(
		print({
			'no labels and a list of errors': noLabelsError({
				correlationId: 'c-1',
				...{ result: [], errors: [ENTITY] },
			}),
			'no labels and an empty list': noLabelsError({ correlationId: 'c-1', ...{ errors: [] } }),
			'no result and a list of errors': failureOf('printLabels', 200, {
				result: null,
				errors: [ENTITY],
			}),
		}),
	).toMatchInlineSnapshot(`
		"
		no labels and a list of errors
		  The service created no labels: Entity not found (16948)
		  Use Shipment: Get to check that the shipments are printable and not canceled.

		no labels and an empty list
		  The service created no labels for these shipments
		  Use Shipment: Get to check that the shipments are printable and not canceled.

		no result and a list of errors
		  The service said: Entity not found (16948)
		  The response has no usable result: "result" is null. Correct the values of this item according to the message of the service.
		"
	`);
});

test('Printers', () => {
	const job = { hash: '0a1b', printerName: 'Warehouse A4' };
	const failure = (status: number, body: unknown) =>
		explainPrintError(failureOf('sendToPrinter', status, body), job);
	const refusal = { result: false, correlationId: 'c-1' };
	const offline = [{ errorCode: 1020, message: 'The printer is offline', reference: null }];
	expect(
		print({
			'result false': notAcceptedError({ ...refusal, ...{ errors: [] } }, job),
			'result false and a list of errors': notAcceptedError(
				{ ...refusal, ...{ errors: offline } },
				job,
			),
			'400, a list of errors': failure(400, { result: null, errors: offline }),
			'400, empty': failure(400, ''),
			'404, an error': failure(404, { errors: [{ ...ENTITY, reference: 'Warehouse A4' }] }),
			'410, an error': failure(410, { errors: [{ message: 'The hash has expired' }] }),
			'200, a text': failure(200, { result: 'Printer offline' }),
			'200, no result and a list of errors': failure(200, { result: null, errors: offline }),
			'500, an error': failure(500, { errors: offline }),
			'504, empty': failure(504, ''),
		}),
	).toMatchInlineSnapshot(`
		"
		result false
		  Printer "Warehouse A4" did not accept the labels
		  Check that the printer is switched on, has paper and is not busy, then send the labels again.

		result false and a list of errors
		  Printer "Warehouse A4" did not accept the labels: The printer is offline
		  Check that the printer is switched on, has paper and is not busy, then send the labels again.

		400, a list of errors
		  Could not send the labels to printer "Warehouse A4": The printer is offline
		  Check the spelling of the printer name, that the printer is switched on and that the print service can reach it. If the hash was refused, set 'Labels' to 'Of Shipments' to print from the shipment ID.

		400, empty
		  Could not send the labels to printer "Warehouse A4": The service refused the request (400)
		  Check the spelling of the printer name, that the printer is switched on and that the print service can reach it. If the hash was refused, set 'Labels' to 'Of Shipments' to print from the shipment ID.

		404, an error
		  Could not send the labels to printer "Warehouse A4": Entity not found (Warehouse A4)
		  Check the spelling of the printer name, that the printer is switched on and that the print service can reach it. If the hash was refused, set 'Labels' to 'Of Shipments' to print from the shipment ID.

		410, an error
		  The print hash has expired: The hash has expired
		  A hash is valid for 14 days. To print from the shipment ID instead, set 'Labels' to 'Of Shipments'.

		200, a text
		  The labels may or may not have been printed on "Warehouse A4": Printer offline
		  Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.

		200, no result and a list of errors
		  The labels may or may not have been printed on "Warehouse A4": The printer is offline
		  Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.

		500, an error
		  The labels may or may not have been printed on "Warehouse A4": The printer is offline
		  Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.

		504, empty
		  The labels may or may not have been printed on "Warehouse A4": The service could not complete the request (504)
		  Check the printer first. If nothing was printed, send the labels again. This node never repeats a print job by itself.
		"
	`);
});

test('Tracking', () => {
	const requested = { carrierCode: 'ANT', number: '0012', correlationId: 'c-1' };
	const row = (more: object) =>
		rowOf(
			[{ packageNumberCarrier: '0012', events: [], ...more } as never as TrackingResult],
			requested,
		);
	expect(
		print({
			'400, an error about one number': failureOf('trackShipments', 400, {
				result: null,
				errors: [ENTITY],
			}),
			'a row with a message': row({ statusCode: 404, message: 'Entity not found' }),
			'a row without a message': row({ statusCode: 404, message: null }),
			'no row': rowOf([], requested),
		}),
	).toMatchInlineSnapshot(`
		"
		400, an error about one number
		  The service said: Entity not found (16948)
		  Correct the values of this item according to the message of the service.

		a row with a message
		  The service said: Entity not found
		  Check the shipment number and that it belongs to this carrier.

		a row without a message
		  The service can't track shipment 0012 of carrier ANT (404)
		  Check the shipment number and that it belongs to this carrier.

		no row
		  No tracking result for shipment 0012 of carrier ANT
		  Check the shipment number and its carrier, or run the workflow again later.
		"
	`);
});

test('Sign-in', () => {
	const credential = {
		authentication: 'signIn',
		signInPath: '/Account/Login',
		password: 's3cr3t!',
	} as ParcelShippingCredential;
	const failure = (statusCode: number, body: unknown, more = {}): unknown => {
		try {
			readToken({ statusCode, body }, { ...credential, ...more });
		} catch (thrown) {
			return thrown;
		}
		throw new Error('The response was expected to have no token');
	};
	expect(
		print({
			'401, an error': failure(401, { errors: [{ errorCode: 401, message: 'Wrong password.' }] }),
			'401, a text that repeats the password': failure(401, 'No user with s3cr3t!'),
			'400, values by field': failure(
				400,
				problemDetails({ errors: { language: ['The language field is required.'] } }),
			),
			'404, a page': failure(404, page),
			'429, an error': failure(429, { errors: [{ message: 'Too many requests' }] }),
			'503, empty': failure(503, ''),
			'200, other fields': failure(200, { result: { session: 'abc', expiresIn: 7200 } }),
			'200, not in the chosen field': failure(200, { token: 'abc' }, { tokenField: 'access.key' }),
			'200, an error': failure(200, { result: null, errors: [LOCKED] }),
			'200, a page': failure(200, page),
		}),
	).toMatchInlineSnapshot(`
		"
		401, an error
		  Sign-in at /Account/Login was refused (401). The service said: Wrong password. Check the user, the password, the Sign-In Path and the Additional Fields of the credential

		401, a text that repeats the password
		  Sign-in at /Account/Login was refused (401). The service said: No user with ***. Check the user, the password, the Sign-In Path and the Additional Fields of the credential

		400, values by field
		  Sign-in at /Account/Login was refused (400). The service said: language: The language field is required. Check the user, the password, the Sign-In Path and the Additional Fields of the credential

		404, a page
		  Sign-in at /Account/Login was refused (404). Check the user, the password, the Sign-In Path and the Additional Fields of the credential

		429, an error
		  Sign-in failed (429). The service said: Too many requests

		503, empty
		  Sign-in failed (503)

		200, other fields
		  The response of /Account/Login has no token in one of the usual fields (token, authToken, result.token, result.authToken, access_token). Its fields are result.session, result.expiresIn. Check the Sign-In Path and the Token Field of the credential

		200, not in the chosen field
		  The response of /Account/Login has no token in the field "access.key". Its fields are token. Check the Sign-In Path and the Token Field of the credential

		200, an error
		  The response of /Account/Login has no token in one of the usual fields (token, authToken, result.token, result.authToken, access_token). The service said: The account is locked. Its fields are result, errors. Check the Sign-In Path and the Token Field of the credential

		200, a page
		  The response of /Account/Login has no token in one of the usual fields (token, authToken, result.token, result.authToken, access_token). Check the Sign-In Path and the Token Field of the credential
		"
	`);
});
