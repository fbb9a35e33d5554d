import { defectsIn } from '../defect';

export const transportDefects = defectsIn('nodes/ParcelShipping/transport/', {
	'endpoints.ts': {
		'A carrier code does not lead to another path.': {
			find: 'if (PATH_VALUE.test(String(value))) continue;',
			replace: 'if (value) continue;',
		},
		'A creation whose response is lost is not sent again.': {
			find: 'createShipments: {\n\t\tsafe: false,',
			replace: 'createShipments: {\n\t\tsafe: true,',
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
	'http.ts': {
		'An account is not offered the carriers of another account.': {
			find: 'accountMemoryOf(JSON.stringify(account))',
			replace: 'accountMemoryOf(address.base)',
		},
		'A secret that the provider repeats in a row is in no failed item.': {
			find: '\t\tif (redacted === text) return thrown;\n',
			replace: '\t\tif (redacted) return thrown;\n',
		},
		'The saved state of the trigger has nothing that is made of the secret.': {
			find: "credentials?.[CREDENTIAL_TYPE]?.id ?? ''",
			replace: "JSON.stringify(credentials ?? '')",
		},
		'After Stop, no further request is sent.': {
			find: 'if (this.isStopped) throw stoppedError(name, false);\n',
			replace: '',
		},
		'A creation that gets a sign-in page as its response is not sent again.': {
			find: 'if (response.statusCode !== 401) return response;',
			replace: 'if (response.statusCode !== 401 && response.statusCode !== 200) return response;',
		},
		'Parallel requests with an expired session sign in once, which keeps the account from being locked.':
			{
				find: 'if (this.signIn !== signIn) continue;\n',
				replace: '',
			},
		'A request that may have been carried out is not sent again.': {
			find: 'if (mayAct && !safe)',
			replace: 'if (mayAct && !isTransient)',
		},
	},
	'response.ts': {
		'A long message does not end in the middle of a secret.': {
			find: "text.lastIndexOf(' ', maxLength)",
			replace: 'maxLength',
		},
		'A creation that a gateway answers with a page is not sent again, although the page says when to come back.':
			{
				find: 'retryAfterMs !== undefined && body !== undefined',
				replace: 'retryAfterMs !== undefined',
			},
		'A row that is null does not hide the events of the others.': {
			find: 'given.filter((row) => row !== null);',
			replace: 'given;',
		},
		'A creation that is answered with a list and an error status is not sent to another address.': {
			find: 'const mayHaveRows = Array.isArray(body) || ',
			replace: 'const mayHaveRows = ',
		},
		'The next request comes after the pause that the provider asks for.': {
			find: 'return Math.round(Number(header) * 1000);',
			replace: 'return Math.round(Number(header));',
		},
		'A provider that sends a byte now and then does not keep a run or a poll waiting.': {
			find: 'Promise.race([ended, work])',
			replace: 'work',
		},
		'A response that is too large does not take the memory of n8n.': {
			find: 'if (leftBytes < 0) throw',
			replace: 'if (leftBytes < -1e12) throw',
		},
		'What the provider says reads as a sentence, never as JSON.': {
			find: 'return parsed === undefined ? shortened(text, MAX_READ_LENGTH) : toText(parsed);',
			replace: 'return shortened(text, MAX_READ_LENGTH);',
		},
		'A total that is no number of records does not end n8n.': {
			find: '!Number.isInteger(total) || Number(total) < 0 || Number(total) > MAX_RECORDS',
			replace: 'Number(total) < 0',
		},
		'An ID that JavaScript rounds does not become that of another shipment.': {
			find: "if (has.includes('id') && idOf(row) === 0)",
			replace: "if (has.includes('id') && row.id === 0)",
		},
		'A creation that timed out at the provider does not count as refused.': {
			find: 'if (status >= 500 || status === 408)',
			replace: 'if (status >= 500)',
		},
		'A creation whose response is cut off is not sent again.': {
			find: 'incomplete or unreadable`, LATER, UNAVAILABLE);',
			replace: 'incomplete or unreadable`, LATER, { ...UNAVAILABLE, mayHaveActed: false });',
		},
	},
	'errors.ts': {
		'A rate limit does not count as a refused shipment number.': {
			find: 'new Set([401, 403, 407, 408, 429])',
			replace: 'new Set([401, 403, 407, 408])',
		},
		'A creation without a response in time is not sent again.': {
			find: 'EHOSTUNREACH|ENETUNREACH)$/',
			replace: 'EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/',
		},
		'After Stop during a creation, its shipments are still looked for.': {
			find: "if (code === 'ERR_CANCELED') return stoppedError(endpoint, true);",
			replace: "if (code === 'ERR_CANCELED') return stoppedError(endpoint, false);",
		},
	},
	'credential.ts': {
		'A secret that is the beginning of another one leaves no part of that in a message.': {
			find: '.sort((a, b) => b.length - a.length)',
			replace: '',
		},
		'A session token that the provider repeats is in no message.': {
			find: ', credential.sessionToken]',
			replace: ']',
			engine: 'hostileProvider',
		},
		'A city that is also a password stays in the output.': {
			find: 'secret.length >= MIN_DATA_LENGTH && ',
			replace: '',
		},
		'A rate limit at sign-in does not count as a wrong password.': {
			find: 'if (statusCode === 429 || statusCode >= 500)',
			replace: 'if (statusCode >= 500)',
		},
		'A link in the output does not have the key.': {
			find: 'return withoutParameters(each, pattern).replace(pattern',
			replace: 'return each.replace(pattern',
		},
		"The secret goes to the provider's own origin only.": {
			find: 'new URL(target).origin === address.origin',
			replace: 'target.startsWith(address.origin)',
		},
		'The secret is not sent unencrypted over the internet.': {
			find: "'^(127|10)(\\\\.\\\\d+){3}$'",
			replace: "'^(127|10)\\\\.'",
		},
	},
	'download.ts': {
		'A file that comes byte by byte is given up.': {
			find: 'if (bytes < (Date.now() - startedMs - graceMs) * MIN_BYTES_PER_MS)',
			replace: 'if (bytes < 0)',
		},
		'A file of any size is not held in memory.': {
			find: 'return await save(checked);',
			replace:
				'return await save(Buffer.concat(await (checked as unknown as { toArray(): Promise<Buffer[]> }).toArray()) as never);',
			engine: 'labelFileMemory',
		},
		'The secret does not follow a redirect of a label file to another host.': {
			find: 'const isOwn = isSameOrigin(target, http.address);',
			replace: 'const isOwn = isSameOrigin(url, http.address);',
		},
		'An error message of the provider is not saved as a label file.': {
			find: '/^[\\s\\u00ef\\u00bb\\u00bf]*%PDF-/.test(head)',
			replace: '!/^\\s*</.test(head)',
		},
	},
	'client.ts': {
		'A list that has more records than it says is no whole list.': {
			find: ' && records.size <= (totals.at(-1) ?? 0)',
			replace: '',
		},
		'A list that never ends does not make requests without end.': {
			find: 'if (totals.length > MAX_PAGES) throw',
			replace: 'if (totals.length > MAX_PAGES * 100) throw',
		},
		'A record that does not say its carrier is not left out beside a carrier filter.': {
			find: 'isSameCode(code, carrierCode ?? code)',
			replace: 'isSameCode(code, carrierCode)',
		},
		'The main piece of a shipment comes first.': {
			find: '.toSorted(mainFirst)',
			replace: '',
		},
		'A list of carriers that failed once is requested again by the next execution.': {
			find: '(known?.catch(requestNew) ?? requestNew())',
			replace: '(known ?? requestNew())',
		},
		'A list that changes while it is read lacks no record.': {
			find: 'const grows = totals.every(',
			replace: 'const grows = totals.some(',
		},
		'A later node that changes one item does not change others.': {
			find: 'if (own) return deepCopy(await own);',
			replace: 'if (own) return await own;',
		},
		'A piece does not count as the whole shipment because the provider is down.': {
			find: 'if (isRefusal(thrown)) return pieces;',
			replace: 'if (thrown) return pieces;',
		},
		'A shipment is found with all pieces by the ID of any of them.': {
			find: 'if (!mainId || pieces.some((piece) => Number(piece.id) === mainId)) return pieces;',
			replace: 'if (!mainId || pieces.length > 0) return pieces;',
		},
		'A record of another carrier is not taken for that of the order, or of a shipment.': {
			find: '.filter(isOwn);',
			replace: ';',
		},
	},
	'numbers.ts': {
		'A shipment is not reported as refused because its ID is the status of the response.': {
			find: 'words.delete(String(statusCode));',
			replace: '',
		},
		'A number that was not requested does not get the reason of another one.': {
			find: 'failure: leftOverError(left, refusal) } };',
			replace: 'failure: refusal } };',
		},
		'One refused shipment number does not fail the others.': {
			find: 'return named.length < numbers.length ? named : [];',
			replace: 'return named;',
		},
		'A shipment does not get the events of another one whose number differs by a zero.': {
			find: 'numberOfRow(each) === packageNumberCarrier',
			replace: 'Number(each.packageNumberCarrier) === Number(packageNumberCarrier)',
		},
	},
});
