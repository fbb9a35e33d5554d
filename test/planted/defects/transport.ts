import { defectsIn } from '../defect';

export const transportDefects = defectsIn('nodes/ParcelShipping/transport/', {
	'endpoints.ts': {
		'A carrier code does not lead to another path.': {
			find: 'if (PATH_VALUE.test(value)) return value;',
			replace: 'if (value) return value;',
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
			find: "accountMemoryOf(JSON.stringify({ ...account, sessionToken: '' }))",
			replace: 'accountMemoryOf(this.base)',
		},
		'A secret that the provider repeats in a row is in no failed item.': {
			find: 'return redacted === text ? thrown :',
			replace: 'return redacted ? thrown :',
		},
		'After Stop, no further request is sent.': {
			find: 'if (this.isStopped) throw stoppedError(name, false);\n',
		},
		'A creation that gets a sign-in page as its response is not sent again.': {
			find: 'if (response.statusCode !== 401) return response;',
			replace: 'if (response.statusCode !== 401 && response.statusCode !== 200) return response;',
		},
		'Parallel requests with an expired session sign in once, which keeps the account from being locked.':
			{
				find: 'if (this.session !== session) continue;\n',
			},
		'A request that may have been carried out is not sent again.': {
			find: 'if (mayHaveActed && !safe)',
			replace: "if (mayHaveActed && cause === 'rate-limited')",
		},
	},
	'response.ts': {
		'A response with errors in errors does not stop n8n.': {
			find: 'Object.entries(value).filter(([field]) => !MESSAGE_KEYS.includes(field))',
			replace: 'Object.entries(value)',
		},
		'A creation that a gateway answers with a page is not sent again, although the page says when to come back.':
			{
				find: 'retryAfterMs() !== undefined && body !== undefined',
				replace: 'retryAfterMs() !== undefined',
			},
		'A row that is null does not hide the events of the others.': {
			find: 'list.filter((row) => row !== null);',
			replace: 'list;',
		},
		'A creation that is answered with a list and an error status is not sent to another address.': {
			find: 'Array.isArray(body) ||',
		},
		'The next request comes after the pause that the provider asks for.': {
			find: 'return Math.round(Number(header) * 1000);',
			replace: 'return Math.round(Number(header));',
		},
		'A provider that sends a byte now and then does not keep a run or a poll waiting.': {
			find: 'Promise.race([ended, work()])',
			replace: 'work()',
		},
		'A response that is too large does not take the memory of n8n.': {
			find: 'if (leftBytes < 0) throw',
			replace: 'if (leftBytes < -1e12) throw',
		},
		'What the provider says reads as a sentence, never as JSON.': {
			find: 'return parsed === undefined ?',
			replace: 'return parsed !== null ?',
		},
		'A total that is no number of records does not end n8n.': {
			find: '(total < 0 || total > MAX_RECORDS)',
			replace: 'total < -1',
		},
		'An ID that JavaScript rounds does not become that of another shipment.': {
			find: "has.includes('id') && idOf(row) === 0",
			replace: "has.includes('id') && row.id === 0",
		},
		'A creation that timed out at the provider does not count as refused.': {
			find: 'if (status >= 500 || status === 408)',
			replace: 'if (status >= 500)',
		},
		'A creation whose response is cut off is not sent again.': {
			find: "incomplete or unreadable', LATER, UNAVAILABLE);",
			replace: "incomplete or unreadable', LATER, NOT_REACHED);",
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
		},
		'A city that is also a password stays in the output.': {
			find: '? 10 : 6)',
			replace: '? 10 : 4)',
		},
		"The secret goes to the provider's own origin only.": {
			find: 'new URL(target).origin === new URL(base).origin',
			replace: 'target.startsWith(new URL(base).origin)',
		},
		'The secret is not sent unencrypted over the internet.': {
			find: '^(127|10)(\\.\\d+){3}$',
			replace: '^(127|10)\\.',
		},
	},
	'download.ts': {
		'The link to a label file does not take the key to another server.': {
			find: 'if (isOwn || redact(target) === target)',
			replace: 'if (isOwn || redact(target))',
		},
		'A file of any size is not held in memory.': {
			find: 'return await save(checked);',
			replace:
				'return await save(Buffer.concat(await (checked as unknown as { toArray(): Promise<Buffer[]> }).toArray()) as never);',
			engine: 'labelFileMemory',
		},
		'The secret does not follow a redirect of a label file to another host.': {
			find: 'const isOwn = checkTarget(target, http);',
			replace: 'const isOwn = checkTarget(url, http);',
		},
		'An error message of the provider is not saved as a label file.': {
			find: '/^[\\s\\u00ef\\u00bb\\u00bf]*%PDF-/.test(head)',
			replace: '!/^\\s*</.test(head)',
		},
	},
	'client.ts': {
		'A list that has more records than it says is no whole list.': {
			find: ' && found.size <= (totals.at(-1) ?? 0)',
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
			find: 'Number(isAdditional(a)) - Number(isAdditional(b)) || ',
			replace: '-1 || ',
		},
		'A list that changes while it is read lacks no record.': {
			find: 'const grows = totals.every(',
			replace: 'const grows = totals.some(',
		},
		'A later node that changes one item does not change others.': {
			find: 'if (known) return deepCopy(await known);',
			replace: 'if (known) return await known;',
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
			find: '!found.has(key) && isOwn(row)',
			replace: '!found.has(key)',
		},
	},
	'numbers.ts': {
		'A shipment is not reported as refused because its ID is the status of the response.': {
			find: 'words.delete(String(statusCode));',
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
