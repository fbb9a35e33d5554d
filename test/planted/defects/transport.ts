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
		'A secret that is the beginning of another one leaves no part of that in a message.': {
			find: '.sort((a, b) => b.length - a.length)',
			replace: '',
		},
		'A key is not in a message either if the service quotes it without the word before it.': {
			find: '[headerValue, key, token,',
			replace: '[headerValue, token,',
		},
		"The secret goes to the service's own origin only.": {
			find: 'new URL(target).origin === address.origin',
			replace: 'target.startsWith(address.origin)',
		},
		'The secret is not sent unencrypted over the internet.': {
			find: "'^(127|10)(\\\\.\\\\d+){3}$'",
			replace: "'^(127|10)\\\\.'",
		},
		'A session token that the service repeats is in no message.': {
			find: 'sessionToken, ...additional,',
			replace: '...additional,',
		},
	},
	'download.ts': {
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
	'accountMemory.ts': {
		'Polls wait for the longest pause that the service has asked for.': {
			find: 'memory.pausedUntil = Math.max(memory.pausedUntil, until);',
			replace: 'memory.pausedUntil = until;',
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
			find: 'if (page.data.length === 0) isOver = true;',
			replace: '',
		},
		'As many records come as the limit says, although new ones come while the list is read.': {
			find: 'records.size === rows.length || reads > 0',
			replace: 'true',
		},
		'A list that changes while it is read lacks no record.': {
			find: 'records.size === wanted && pages.every(({ total }) => total === first.total)',
			replace: 'pages.every(({ total }) => total === first.total)',
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
		'The trigger notices that the credential has become one of another account.': {
			find: 'scryptSync(this.account,',
			replace: "scryptSync('',",
		},
		'An account is not offered the carriers of another account.': {
			find: 'accountMemoryOf(this.account)',
			replace: 'accountMemoryOf(address.base)',
		},
		'After Stop, no further request is sent.': {
			find: 'if (this.isStopped) throw stoppedError(name, { mayHaveActed: false });\n',
			replace: '',
		},
		'A secret that the service repeats in a row is in no failed item.': {
			find: 'return reword(thrown, (text) => this.redact(text));',
			replace:
				'return isServiceError(thrown) ? reword(thrown, (text) => this.redact(text)) : thrown;',
		},
		'A secret that the service repeats is in no failed item.': {
			find: 'if (!isRecord(each)) return each;',
			replace: "if (!isRecord(each) || 'serviceMessage' in each) return each;",
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
			find: 'if (statusCode === 429 || statusCode >= 500) {',
			replace: 'if (statusCode >= 500) {',
		},
	},
	'serviceMessage.ts': {
		'The user sees which field the service refuses, and not only that one is wrong.': {
			find: 'toSentence([messageIn(body), body.errors]);',
			replace: 'toSentence(messageIn(body));',
		},
		'What the service says reads as a sentence, never as JSON.': {
			find: 'return parsed === undefined ? value.trim() : toText(parsed);',
			replace: 'return value.trim();',
		},
	},
});
