// Polls the sandbox every second and shows its state. Data is always inserted as text, never as
// HTML: a recipient's name may contain tags.

const pollEveryMs = 1000;
const noticeDurationMs = 5000;
const hoursPerClick = 6;

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

function showState({ now, carriers, shipments, shipmentsTotal, batches, printJobs }) {
	byId('now').textContent = showTime(now);
	byId('first-steps').hidden = shipments.length > 0;
	byId('shipments-table').hidden = shipments.length === 0;
	const carrierName = (code) => carriers.find((carrier) => carrier.code === code)?.name ?? code;

	showList('shipments', 'tr', shipments, (shipment) => [
		element('th', { scope: 'row' }, [
			element('div', { className: 'number' }, shipment.packageNumberCarrier),
			element('div', { className: 'muted' }, shipment.packageNumberCustom),
		]),
		element('td', {}, [
			element('div', {}, shipment.recName || shipment.recCompany || ''),
			element('div', { className: 'muted' }, shipment.recCity ?? ''),
		]),
		element('td', { className: 'nowrap' }, carrierName(shipment.carrierCode)),
		element('td', {}, [
			showStatus(shipment.status.category),
			element('div', { className: 'muted' }, describeStatus(shipment.status)),
		]),
		element('td', { className: 'muted nowrap' }, showTime(shipment.created)),
		element('td', {}, [showLabelLink(shipment)]),
	]);
	if (shipmentsTotal > shipments.length) {
		byId('shipments-count').textContent =
			`${shipmentsTotal}, showing the newest ${shipments.length}`;
	}
	showList('carriers', 'li', carriers, (carrier) => [
		element('div', { className: 'line' }, [
			element('b', {}, carrier.name),
			showStatus(carrier.status),
		]),
		element('div', { className: 'muted number' }, carrier.code),
	]);
	showList('batches', 'li', batches, (batch) => [
		element('div', { className: 'line' }, [
			element('b', {}, `Batch ${batch.id}`),
			element('span', { className: 'muted nowrap' }, showTime(batch.created)),
		]),
		element('div', { className: 'muted' }, describeBatch(batch, carrierName)),
	]);
	showList('print-jobs', 'li', printJobs, (job) => [
		element('div', { className: 'line' }, [
			element('b', {}, job.printerName),
			element('span', { className: 'muted nowrap' }, showTime(job.printed)),
		]),
		element('div', { className: 'muted' }, formatCount(job.count, job.content.replace(/s$/, ''))),
	]);
}

/** Keeps unchanged entries, so that focus and selection survive. Highlights new and changed ones. */
function showList(id, tag, records, build) {
	const list = byId(id);
	byId(`${id}-count`).textContent = records.length > 0 ? String(records.length) : '';
	const shown = new Map([...list.children].map((child) => [child.dataset.record, child]));
	const isFirst = shownText === '';
	const wanted = records.map((record) => {
		const key = JSON.stringify(record);
		const known = shown.get(key);
		if (known) return known;
		const entry = element(tag, { className: isFirst ? '' : 'fresh' }, build(record));
		entry.dataset.record = key;
		return entry;
	});
	for (const child of [...list.children]) if (!wanted.includes(child)) child.remove();
	for (const [index, entry] of wanted.entries()) {
		if (list.children[index] !== entry) list.insertBefore(entry, list.children[index] ?? null);
	}
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

function describeBatch({ carrierCode, packagesCount, errorsCount }, carrierName) {
	const parts = [carrierName(carrierCode), formatCount(packagesCount, 'shipment')];
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

function element(tag, properties, content) {
	const made = Object.assign(document.createElement(tag), properties);
	if (typeof content === 'string') made.textContent = content;
	else made.append(...content);
	return made;
}
