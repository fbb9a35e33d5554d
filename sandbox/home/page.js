// Polls the sandbox every second and shows its state. Data is always inserted as text, never as
// HTML: a recipient's name may contain tags.

const pollEveryMs = 1000;
const noticeDurationMs = 5000;
const hoursPerClick = 6;

/** How many entries a list shows until the user opens it. */
const isNarrow = matchMedia('(max-width: 60rem)').matches;
const collapsedLengths = {
	shipments: isNarrow ? 5 : 10,
	'print-jobs': 5,
	batches: 5,
	printers: 4,
	carriers: 3,
};
const opened = new Set();

const byId = (id) => document.getElementById(id);
const notice = byId('notice');
const resetDialog = byId('reset-dialog');

let shownText = '';
let hasProblem = false;
let noticeTimer;

byId('base-url').textContent = `${location.origin}/api`;
showCredential();
byId('advance').addEventListener('click', () =>
	command(
		'/sandbox/advance',
		{ hours: hoursPerClick },
		`Tracking advanced by ${hoursPerClick} hours.`,
	),
);
byId('reset').addEventListener('click', () => resetDialog.showModal());
resetDialog.addEventListener('close', () => {
	if (resetDialog.returnValue === 'reset') {
		command('/sandbox/reset', {}, 'The sandbox was reset.');
	}
	resetDialog.returnValue = '';
});
for (const id of Object.keys(collapsedLengths)) {
	byId(`${id}-more`).addEventListener('click', () => {
		if (!opened.delete(id)) opened.add(id);
		collapse(id);
	});
}
poll();

async function showCredential() {
	const { header } = JSON.parse(await read(await fetch('/sandbox/credentials')));
	byId('header-name').textContent = header.name;
	byId('header-value').textContent = header.value;
}

async function poll() {
	await refresh();
	setTimeout(poll, pollEveryMs);
}

async function refresh() {
	try {
		const text = await read(await fetch('/sandbox/state'));
		if (text !== shownText) showState(JSON.parse(text));
		shownText = text;
		if (hasProblem) showNotice('');
	} catch (error) {
		showNotice(
			`Could not reach the sandbox (${error.message}). Check that it is running. Retrying…`,
			'problem',
		);
	}
}

async function command(path, body, done) {
	const buttons = document.querySelectorAll('.top button');
	for (const button of buttons) button.disabled = true;
	try {
		const headers = { 'content-type': 'application/json' };
		await read(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }));
		await refresh();
		showNotice(done);
	} catch (error) {
		showNotice(`Request failed: ${error.message}.`, 'problem');
	} finally {
		for (const button of buttons) button.disabled = false;
	}
}

async function read(response) {
	if (!response.ok) throw new Error(`${response.url} returned status ${response.status}`);
	return await response.text();
}

function showNotice(text, tone = 'info') {
	hasProblem = tone === 'problem';
	notice.textContent = text;
	notice.dataset.tone = tone;
	notice.hidden = text === '';
	clearTimeout(noticeTimer);
	if (!hasProblem) noticeTimer = setTimeout(() => (notice.hidden = true), noticeDurationMs);
}

function showState(state) {
	const { now, carriers, printers, shipments: pieces, batches, printJobs } = state;
	byId('now').textContent = showTime(now);
	byId('first-steps').hidden = pieces.length > 0;
	byId('shipments-table').hidden = pieces.length === 0;
	const carrierName = (code) => carriers.find((carrier) => carrier.code === code)?.name ?? code;

	showList('shipments', 'tr', pieces, (piece) => [
		element('th', { scope: 'row' }, [
			element('div', { className: 'number' }, piece.packageNumberCarrier),
			element('div', { className: 'muted' }, piece.packageNumberCustom),
			...(piece.pieceCount > 1
				? [muted(`Piece ${piece.pieceIndex + 1} of ${piece.pieceCount}`)]
				: []),
		]),
		element('td', {}, [
			element('div', {}, piece.recName || piece.recCompany || ''),
			muted(piece.recCity ?? ''),
		]),
		element('td', {}, [
			element('div', {}, carrierName(piece.carrierCode)),
			muted(piece.serviceName),
			...describeExtras(piece).map(muted),
		]),
		element('td', {}, [showStatus(piece.status.category), showEvents(piece)]),
		element('td', { className: 'muted nowrap' }, showTime(piece.created)),
		element('td', {}, [showLabelLink(piece)]),
	]);
	byId('shipments-count').textContent = describeTotals(state, pieces.length);
	showList('carriers', 'li', carriers, (carrier) => [
		element('div', { className: 'line' }, [
			element('b', {}, carrier.name),
			showStatus(carrier.status),
		]),
		element('div', { className: 'muted number' }, carrier.code),
	]);
	showList('batches', 'li', batches, (batch) => [
		element('div', { className: 'line' }, [
			showJobLink(`Batch ${batch.id}`, batch.labelsHash),
			element('span', { className: 'muted nowrap' }, showTime(batch.created)),
		]),
		muted(describeBatch(batch, carrierName)),
	]);
	const printerText = ({ name, displayName }) => `${displayName} (${name})`;
	const textOf = (name) => printerText(printers.find((printer) => printer.name === name));
	showList('print-jobs', 'li', printJobs, (job) => [
		element('div', { className: 'line' }, [
			showJobLink(textOf(job.printerName), job.hash),
			element('span', { className: 'muted nowrap' }, showTime(job.printed)),
		]),
		muted(formatCount(job.count, job.content.replace(/s$/, ''))),
	]);
	showList('printers', 'li', printers, (printer) => [
		element('div', { className: 'line' }, [
			element('b', {}, printerText(printer)),
			element('span', { className: 'muted nowrap' }, printer.state),
		]),
	]);
}

/** Keeps unchanged entries, so that focus and selection survive. Highlights new and changed ones. */
function showList(id, tag, records, build) {
	const list = byId(id);
	byId(`${id}-count`).textContent = records.length > 0 ? String(records.length) : '';
	const shown = new Map([...list.children].map((child) => [child.dataset.record, child]));
	const isFirst = shownText === '';
	const withOpenDetails = new Set(
		[...list.children].filter((child) => child.querySelector('details[open]')).map(keyOf),
	);
	const wanted = records.map((record) => {
		const key = JSON.stringify(record);
		const known = shown.get(key);
		if (known) return known;
		const entry = element(tag, { className: isFirst ? '' : 'fresh' }, build(record));
		entry.dataset.record = key;
		const details = entry.querySelector('details');
		if (details) details.open = withOpenDetails.has(keyOf(entry));
		return entry;
	});
	for (const child of [...list.children]) if (!wanted.includes(child)) child.remove();
	for (const [index, entry] of wanted.entries()) {
		if (list.children[index] !== entry) list.insertBefore(entry, list.children[index] ?? null);
	}
	collapse(id);
}

const keyOf = (entry) => JSON.parse(entry.dataset.record).id;

/** Hides the entries after the first ones, unless the user has opened the list. */
function collapse(id) {
	const entries = [...byId(id).children];
	const shownLength = opened.has(id) ? entries.length : collapsedLengths[id];
	for (const [index, entry] of entries.entries()) entry.hidden = index >= shownLength;
	const more = byId(`${id}-more`);
	more.hidden = entries.length <= collapsedLengths[id];
	more.textContent = opened.has(id) ? 'Show fewer' : `Show all ${entries.length}`;
}

/** Shows the category unchanged, because the trigger filters by this name. */
function showStatus(category) {
	const badge = element('span', { className: 'status' }, category);
	if (/transit/i.test(category)) badge.dataset.tone = 'moving';
	if (/deliver|^active/i.test(category)) badge.dataset.tone = 'done';
	if (/cancel/i.test(category)) badge.dataset.tone = 'stopped';
	return badge;
}

/** Returns the status name, unless it repeats the category. */
function describeStatus({ name, category }) {
	return name === category ? '' : name;
}

function showLabelLink({ id, packageNumberCarrier }) {
	const link = element('a', { href: `/sandbox/labels/${id}.pdf`, target: '_blank' }, 'Label');
	link.setAttribute('aria-label', `Label of ${packageNumberCarrier}, opens in a new tab`);
	return link;
}

/** A link to the labels of a batch or print job. */
function showJobLink(text, hash) {
	if (!hash) return element('b', {}, text);
	const link = element('a', { href: `/sandbox/jobs/${hash}`, target: '_blank' }, text);
	link.setAttribute('aria-label', `Labels of ${text}, opens in a new tab`);
	return link;
}

/** The latest event, and all of them on request. */
function showEvents({ status, events }) {
	const lines = events.map(({ date, name }) => element('li', {}, `${showTime(date)} ${name}`));
	return element('details', { className: 'muted' }, [
		element(
			'summary',
			{},
			[describeStatus(status), formatCount(events.length, 'event')].filter(Boolean).join(', '),
		),
		element('ol', {}, lines),
	]);
}

/** What the recipient pays, and where the shipment is picked up. */
function describeExtras({ codPrice, codCurrency, branchId, branchName }) {
	return [
		codPrice > 0 && `COD ${codPrice} ${codCurrency}`,
		branchId && `Pickup point ${[branchId, branchName].filter(Boolean).join(', ')}`,
	].filter(Boolean);
}

function describeTotals({ shipmentsTotal: shipments, piecesTotal: pieces }, shown) {
	if (pieces === 0) return '';
	const total = pieces === shipments ? `${shipments}` : `${shipments}, in ${pieces} pieces`;
	return pieces > shown ? `${total}, showing the newest ${shown}` : total;
}

function describeBatch({ carrierCode, packagesCount, errorsCount }, carrierName) {
	const parts = [carrierName(carrierCode), formatCount(packagesCount, 'piece')];
	if (errorsCount > 0) parts.push(`${errorsCount} refused`);
	return parts.filter(Boolean).join(' · ');
}

function formatCount(count, noun) {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Shows timestamps unchanged, because they carry no offset. */
function showTime(timestamp) {
	const [date, time] = timestamp.split('T');
	const [year, month, day] = date.split('-').map(Number);
	const dayName = new Date(year, month - 1, day).toLocaleDateString('en-US', {
		day: 'numeric',
		month: 'short',
	});
	return `${dayName}, ${time.slice(0, 5)}`;
}

const muted = (text) => element('div', { className: 'muted' }, text);

function element(tag, properties, content) {
	const made = Object.assign(document.createElement(tag), properties);
	if (typeof content === 'string') made.textContent = content;
	else made.append(...content);
	return made;
}
