import { isRecord } from '../records';
import { type ParcelShippingCredential, readSignInFields } from './credential';

/** A shorter "secret" could be part of an ordinary word, and redacting it would garble messages. */
const MIN_LENGTH = 4;

/** In the data of items, a shorter one or one of digits only could be a name, a city or a part of a tracking number. */
const MIN_DATA_LENGTH = 8;

/** A shorter additional field is more likely a branch or a year, which may also be part of an order number. */
const MIN_ADDITIONAL_LENGTH = 8;

/** Of a secret without spaces that is as long as this, two thirds are enough, in case the provider cut it off. */
const MIN_CUT_LENGTH = 18;

const REDACTED = '***';

/** Removes the secrets of a credential from texts, in case the provider repeats one of them. */
export class Secrets {
	private readonly inMessages: RegExp | undefined;

	private readonly inData: RegExp | undefined;

	constructor(credential: ParcelShippingCredential) {
		const secrets = secretsOf(credential);
		this.inMessages = patternOf(secrets);
		this.inData = patternOf(
			secrets.filter((secret) => secret.length >= MIN_DATA_LENGTH && !/^\d+$/.test(secret)),
		);
	}

	/** All texts of a message without secrets, whatever their letter case and encoding is. */
	redact<Value>(value: Value): Value {
		return replaceIn(value, this.inMessages, redactText);
	}

	/** The data of an item without secrets. A link only loses the parameters that have one. */
	redactData<Value>(value: Value): Value {
		return replaceIn(value, this.inData, (text, pattern) =>
			redactText(withoutParameters(text, pattern), pattern),
		);
	}

	/** An address for another origin without the secret. Undefined if not only its parameters have it. */
	withoutSecret(url: string): string | undefined {
		const pattern = this.inMessages;
		if (!pattern) return url;
		const without = withoutParameters(url, pattern);
		return hasMatch(without, pattern) || hasMatch(decoded(without), pattern) ? undefined : without;
	}
}

function secretsOf(credential: ParcelShippingCredential): string[] {
	const { headerValue = '', token, password, queryValue, sessionToken, username = '' } = credential;
	const additional = Object.values(readSignInFields(credential) ?? {})
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map((value) => String(value).trim())
		.filter(({ length }) => length >= MIN_ADDITIONAL_LENGTH);
	const basic = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
	// A header may have a word before the key, as in "Token abc123".
	const key = headerValue.trim().split(/\s+/).at(-1);
	// Without a password, the user is a key.
	const own = password?.trim() || username;
	const given = [headerValue, key, token, own, queryValue, sessionToken, ...additional, basic];
	return (
		given
			// HTTP removes the spaces around a header.
			.map((secret = '') => wellFormed(secret).trim())
			.filter(({ length }) => length >= MIN_LENGTH)
	);
}

function patternOf(secrets: readonly string[]): RegExp | undefined {
	const forms = secrets.flatMap((secret) => [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		// As part of JSON.
		JSON.stringify(secret).slice(1, -1),
	]);
	const patterns = [...new Set(forms)]
		// One secret may contain another.
		.sort((a, b) => b.length - a.length)
		.map((form) => {
			if (form.length < MIN_CUT_LENGTH || /\s/.test(form)) return escaped(form);
			return `${escaped(form.slice(0, Math.ceil((form.length * 2) / 3)))}[\\w.~+/=%-]*`;
		});
	return patterns.length > 0 ? new RegExp(patterns.join('|'), 'gi') : undefined;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Half of a pair of characters cannot be encoded. */
const wellFormed = (text: string) => Buffer.from(text).toString();

const redactText = (text: string, pattern: RegExp) => text.replace(pattern, REDACTED);

function hasMatch(text: string, pattern: RegExp): boolean {
	pattern.lastIndex = 0;
	return pattern.test(text);
}

/** The value with other texts, also those of names. Itself, if the pattern matches nothing in it. */
function replaceIn<Value>(
	value: Value,
	pattern: RegExp | undefined,
	replace: (text: string, pattern: RegExp) => string,
): Value {
	if (!pattern) return value;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (text === undefined || !hasMatch(text, pattern)) return value;
	const replaceAll = (each: unknown): unknown => {
		if (typeof each === 'string') return replace(each, pattern);
		if (Array.isArray(each)) return each.map(replaceAll);
		if (!isRecord(each)) return each;
		return Object.fromEntries(
			Object.entries(each).map(([key, more]) => [redactText(key, pattern), replaceAll(more)]),
		);
	};
	return replaceAll(value) as Value;
}

/** An address without the parameters that have a secret. Any other text as it is. */
function withoutParameters(text: string, pattern: RegExp): string {
	if (!/^https?:/i.test(text) || !URL.canParse(text)) return text;
	const url = new URL(text);
	const names = [...url.searchParams].filter((parameter) => hasMatch(parameter.join('='), pattern));
	if (names.length === 0) return text;
	for (const [name] of names) url.searchParams.delete(name);
	return url.href;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
