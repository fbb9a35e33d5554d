import { defectsIn } from '../defect';

export const transportDefects = defectsIn('nodes/ParcelShipping/transport/', {
	'endpoints.ts': {
		'A creation whose response is lost is not sent again.': {
			find: 'createShipments: {\n\t\tsafe: false,',
			replace: 'createShipments: {\n\t\tsafe: true,',
		},
		'A print job whose response is lost does not print again.': {
			find: 'sendToPrinter: { safe: false,',
			replace: 'sendToPrinter: { safe: true,',
		},
		'A hand-over whose response is lost does not order a second pickup.': {
			find: 'handOverShipments: { safe: false,',
			replace: 'handOverShipments: { safe: true,',
		},
		'Shipments that were created although the status is an error are in the output.': {
			find: '\t\thasRowsOnError: true,\n\t\tsecondPath',
			replace: '\t\tsecondPath',
		},
	},
	'retry.ts': {
		'A request that may have been carried out is not sent again.': {
			find: 'if (error.mayHaveActed && !endpoint.safe) return {};',
			replace: 'if (error.mayHaveActed && !error.isTransient) return {};',
		},
		'The next request comes after the pause that the service asks for.': {
			find: 'return Math.round(Number(header) * 1000);',
			replace: 'return Math.round(Number(header));',
		},
	},
	'response.ts': {
		'A total that is no number of records does not end n8n.': {
			find: 'Number.isInteger(total) && total >= 0 && total <= MAX_RECORDS',
			replace: 'total >= 0',
		},
		'An ID that JavaScript rounds does not become that of another shipment.': {
			find: "if (has.includes('id') && idOf(record) === 0)",
			replace: "if (has.includes('id') && record.id === 0)",
		},
		'A list with an empty row does not keep the trigger from finding new shipments.': {
			find: 'return { ...result, data: result.data.filter((row) => row !== null) };',
			replace: 'return result;',
		},
		'A creation that a gateway answers with 503 is not sent again.': {
			find: 'status === 503 && !isBusy ? undefined : CERTAIN_STATUSES[status]',
			replace: 'CERTAIN_STATUSES[status]',
		},
		'A creation that a gateway answers with a page is not sent again, although the page says when to come back.':
			{
				find: 'retryAfterMs !== undefined && parseJson(body) !== undefined',
				replace: 'retryAfterMs !== undefined',
			},
		'A row that is null does not hide the events of the others.': {
			find: 'return result.filter((row) => row !== null);',
			replace: 'return result;',
		},
		'A creation that timed out at the service does not count as refused.': {
			find: 'if (status >= 500 || status === 408) {',
			replace: 'if (status >= 500) {',
		},
		'A creation whose response is cut off is not sent again.': {
			find: 'mayHaveActed: true,\n\t\tisTransient: !isPage,',
			replace: 'mayHaveActed: false,\n\t\tisTransient: !isPage,',
		},
		'A creation whose response was cut off is not sent to another address.': {
			find: 'if (isCutOff(text, body) || Array.isArray(body)',
			replace: 'if (Array.isArray(body)',
		},
		'A creation that is refused with a response that was cut off does not count as refused.': {
			find: 'hasResult(body) || (isRefusal && isCutOff(text, body))',
			replace: 'hasResult(body)',
		},
	},
	'errors.ts': {
		'A secret that the service repeats in a row is in no failed item.': {
			find: '\tconst redacted = redact(text);\n',
			replace: '\tconst redacted = text;\n',
		},
		'A secret in the correlation ID is in no error.': {
			find: '{ correlationId: redact(correlationId) }',
			replace: '{ correlationId }',
		},
		'A number that makes the service fail does not keep others from their events.': {
			find: 'isServiceError(failure) && failure.facts.status === 500;',
			replace: 'isServiceError(failure) && failure.facts.status === 0;',
		},
		'A rate limit does not count as a refused shipment number.': {
			find: 'new Set([401, 403, 407, 408, 429])',
			replace: 'new Set([401, 403, 407, 408])',
		},
		'A response that is not HTTP may come after the request was carried out.': {
			find: 'if (/^[A-Z]/.test(code) && ',
			replace: "if (code.startsWith('E') && ",
		},
		'A creation without a response in time is not sent again.': {
			find: 'EHOSTUNREACH|ENETUNREACH)$/',
			replace: 'EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/',
		},
		'After Stop during a creation, its shipments are still looked for.': {
			find: "if (code === 'ERR_CANCELED') return stoppedError(endpoint, { mayHaveActed: true });",
			replace:
				"if (code === 'ERR_CANCELED') return stoppedError(endpoint, { mayHaveActed: false });",
		},
		'A failed item has the correlation ID that the support of the service asks for.': {
			find: 'const all = { ...details, endpoint, statusCode, correlationId, retryAfterMs };',
			replace: 'const all = { ...details, endpoint, statusCode, retryAfterMs };',
		},
	},
	'credential.ts': {
		"The secret goes to the service's own origin only.": {
			find: 'new URL(target).origin === address.origin',
			replace: 'target.startsWith(address.origin)',
		},
		'The secret is not sent unencrypted over the internet.': {
			find: "'^(127|10)(\\\\.\\\\d+){3}$'",
			replace: "'^(127|10)\\\\.'",
		},
	},
	'secrets.ts': {
		'A secret that is the beginning of another one leaves no part of that in a message.': {
			find: '.sort((a, b) => b.length - a.length)',
			replace: '',
		},
		'A key is not in a message either if the service quotes it without the word before it.': {
			find: '[headerValue, key, token,',
			replace: '[headerValue, token,',
		},
		'A session token that the service repeats is in no message.': {
			find: 'sessionToken, ...additional,',
			replace: '...additional,',
		},
		'A secret that the provider writes in another letter case is in no message.': {
			find: "new RegExp(patterns.join('|'), 'gi')",
			replace: "new RegExp(patterns.join('|'), 'g')",
		},
		'A secret that the provider repeats URL-encoded is in no error.': {
			find: '\t\tencodeURIComponent(secret),\n',
			replace: '',
		},
		'A link in the output does not have the key.': {
			find: 'redactText(withoutParameters(text, pattern), pattern),',
			replace: 'withoutParameters(text, pattern).length > 0 ? text : text,',
		},
		'A city that is also a password stays in the output.': {
			find: 'secret.length >= MIN_DATA_LENGTH && ',
			replace: '',
		},
		'The link to a label file does not take the key to another server in its path.': {
			find: 'return hasMatch(without, pattern) || hasMatch(decoded(without), pattern) ? undefined : without;',
			replace: 'return without;',
		},
	},
	'body.ts': {
		'A provider that sends a byte now and then does not keep a run or a poll waiting.': {
			find: "\tdeadline.addEventListener('abort', end, { once: true });\n\ttry {",
			replace: '\ttry {',
		},
		'Headers that never end do not keep a run or a poll waiting.': {
			find: 'return await Promise.race([work, late]);',
			replace: 'return await work;',
		},
		'A response that is too large does not take the memory of n8n.': {
			find: 'if (bytes > MAX_BYTES) throw',
			replace: 'if (bytes > MAX_BYTES * 2) throw',
		},
	},
	'download.ts': {
		'A file that comes byte by byte is given up.': {
			find: 'if (isSlow || elapsedMs > maxMs)',
			replace: 'if (elapsedMs > maxMs * 1_000)',
		},
		'The secret does not follow a redirect of a label file to another host.': {
			find: 'const isOwn = isSameOrigin(target, source.address);',
			replace: 'const isOwn = isSameOrigin(url, source.address);',
		},
		'An error message of the service is not saved as a label file.': {
			find: '/^[\\s\\u00ef\\u00bb\\u00bf]*%PDF-/.test(head)',
			replace: '!/^\\s*</.test(head)',
		},
	},
	'splitRequests.ts': {
		'A shipment is not reported as refused because its ID is the status of the response.': {
			find: 'words.delete(String(statusCode));',
			replace: '',
		},
		'A number that was not requested does not get the reason of another one.': {
			find: 'splitBudget.hasResponse ? leftOverError(failed) : split.failures[0];',
			replace: 'split.failures[0];',
		},
		'One refused shipment number does not fail the others.': {
			find: 'return named.length < numbers.length ? named : [];',
			replace: 'return named;',
		},
	},
	'trackingRows.ts': {
		'A row without a status has its events.': {
			find: '(Array.isArray(row.events) || (',
			replace: '((',
		},
		'An error beside the row of a number does not hide its events.': {
			find: 'joinRows(rows.filter((each) => isOwn(each) && isFine(each))) ?? rows.find(isOwn);',
			replace: 'rows.find(isOwn);',
		},
		'A shipment does not get the events of another one whose number differs by a zero.': {
			find: 'numberOfRow(each) === packageNumberCarrier',
			replace: 'Number(each.packageNumberCarrier) === Number(packageNumberCarrier)',
		},
	},
	'client.ts': {
		'A record that does not say its carrier is not left out beside a carrier filter.': {
			find: 'isSameCode(code, carrierCode ?? code)',
			replace: 'isSameCode(code, carrierCode)',
		},
		'The main piece of a shipment comes first.': {
			find: '.toSorted(mainFirst)',
			replace: '',
		},
		'A list of carriers that failed once is requested again by the next execution.': {
			find: 'known.response.catch(requestOnce)',
			replace: 'known.response',
		},
		'A later node that changes one item does not change others.': {
			find: 'if (known) return deepCopy(await known);',
			replace: 'if (known) return await known;',
		},
		'A piece does not count as the whole shipment because the service is down.': {
			find: 'if (isRefusal(thrown)) return pieces;',
			replace: 'if (thrown) return pieces;',
		},
		'A shipment is found with all pieces by the ID of any of them.': {
			find: 'if (!mainId || pieces.some((piece) => Number(piece.id) === mainId)) return pieces;',
			replace: 'if (!mainId || pieces.length > 0) return pieces;',
		},
		'A record of another carrier is not taken for that of the order, or of a shipment.': {
			find: 'return records.filter(isOwn).slice(0, limit);',
			replace: 'return records.slice(0, limit);',
		},
	},
	'paging.ts': {
		'A list with a wrong total does not make requests without end.': {
			find: 'hasMore = step.map(add).every(Boolean);',
			replace: 'hasMore = step.map(add).length > 0;',
		},
		'As many records come as the limit says, although new ones come while the list is read.': {
			find: 'records.size === rowCount || reads > 0',
			replace: 'true',
		},
		'A list that changes while it is read lacks no record.': {
			find: 'records.size === wanted && pages.every(({ total }) => total === wanted)',
			replace: 'pages.every(({ total }) => total === wanted)',
		},
		'A list that never ends does not make requests without end.': {
			find: 'if (pages.length > MAX_PAGES) {',
			replace: 'if (pages.length > MAX_PAGES * 100) {',
		},
	},
	'sender.ts': {
		'A creation that the other path answers with a redirect may have been carried out.': {
			find: 'endpoint.safe && status >= 300',
			replace: 'status >= 300',
		},
		'A shipment without a detail is no redirect, also once a path of the endpoint has worked.': {
			find: 'endpoint.safe && status >= 300',
			replace: 'mayBePath && status >= 300',
		},
		'The saved state of the trigger has nothing that is made of the secret.': {
			find: "credentials?.[CREDENTIAL_TYPE]?.id ?? ''",
			replace: "JSON.stringify(credentials ?? '')",
		},
		'A carrier code does not lead to another path.': {
			find: 'if (PATH_VALUE.test(String(value))) continue;',
			replace: 'if (value) continue;',
		},
		'An account is not offered the carriers of another account.': {
			find: 'accountMemoryOf(JSON.stringify(account))',
			replace: 'accountMemoryOf(address.base)',
		},
		'After Stop, no further request is sent.': {
			find: 'if (this.isStopped) throw stoppedError(name, { mayHaveActed: false });\n',
			replace: '',
		},
	},
	'session.ts': {
		'A creation that gets a sign-in page as its response is not sent again.': {
			find: 'if (response.statusCode !== 401) return response;',
			replace: 'if (response.statusCode !== 401 && response.statusCode !== 200) return response;',
		},
		'Parallel requests with an expired session sign in once, which keeps the account from being locked.':
			{
				find: 'if (this.signIn === signIn) return await',
				replace: 'return await',
			},
	},
	'signIn.ts': {
		'A rate limit at sign-in does not count as a wrong password.': {
			find: 'if (statusCode === 429 || statusCode >= 500)',
			replace: 'if (statusCode >= 500)',
		},
		'A token that the sign-in returns as the name of a field is in no error.': {
			find: 'Object.keys(value).filter((name) => WORD.test(name))',
			replace: 'Object.keys(value)',
		},
		'A token in the refusal of a sign-in is in no error.': {
			find: "?.replace(/\\S{24,}/g, '***')",
			replace: '',
		},
	},
	'serviceMessage.ts': {
		'The user sees which field the service refuses, and not only that one is wrong.': {
			find: 'toSentence([messageIn(body), body.errors]);',
			replace: 'toSentence(messageIn(body));',
		},
		'What the service says reads as a sentence, never as JSON.': {
			find: 'return parsed === undefined ? shortened(text, MAX_READ_LENGTH) : toText(parsed);',
			replace: 'return shortened(text, MAX_READ_LENGTH);',
		},
		'A long message does not end in the middle of a secret.': {
			find: "text.lastIndexOf(' ', maxLength)",
			replace: 'maxLength',
		},
	},
});
