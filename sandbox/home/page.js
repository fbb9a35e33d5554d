// Asks the sandbox every second what it holds, and shows it. Whatever the service says is put in
// as text, never as HTML: a recipient may be called <b>.

const pollEveryMs = 1000;
const noticeStaysMs = 5000;
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
	command('/sandbox/advance', { hours: hoursPerClick }, `${hoursPerClick} hours have passed.`),
);
byId('reset').addEventListener('click', () => resetDialog.showModal());
resetDialog.addEventListener('close', () => {
	if (resetDialog.returnValue === 'reset') {
		command('/sandbox/reset', {}, 'The sandbox is as it was at the beginning.');
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
		if (hasProblem) say('');
	} catch (error) {
		say(
			`No answer from the sandbox (${error.message}). Is it still running? This page keeps asking.`,
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
		say(done);
	} catch (error) {
		say(`That did not work: ${error.message}.`, 'problem');
	} finally {
		for (const button of buttons) button.disabled = false;
	}
}

async function read(response) {
	if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
	return await response.text();
}

function say(text, tone = 'news') {
	hasProblem = tone === 'problem';
	notice.textContent = text;
	notice.dataset.tone = tone;
	notice.hidden = text === '';
	clearTimeout(noticeTimer);
	if (!hasProblem) noticeTimer = setTimeout(() => (notice.hidden = true), noticeStaysMs);
}

function showState({ now, carriers, shipments, shipmentsTotal, batches, printJobs }) {
	byId('now').textContent = showTime(now);
	byId('first-steps').hidden = shipments.length > 0;
	byId('shipments-table').hidden = shipments.length === 0;
	const nameOf = (code) => carriers.find((carrier) => carrier.code === code)?.name ?? code;

	showList('shipments', 'tr', shipments, (shipment) => [
		element('th', { scope: 'row' }, [
			element('div', { className: 'number' }, shipment.packageNumberCarrier),
			element('div', { className: 'muted' }, shipment.packageNumberCustom),
		]),
		element('td', {}, [
			element('div', {}, shipment.recName || shipment.recCompany || ''),
			element('div', { className: 'muted' }, shipment.recCity ?? ''),
		]),
		element('td', { className: 'nowrap' }, nameOf(shipment.carrierCode)),
		element('td', {}, [
			showStatus(shipment.status.category),
			element('div', { className: 'muted' }, describeStatus(shipment.status)),
		]),
		element('td', { className: 'muted nowrap' }, showTime(shipment.created)),
		element('td', {}, [showLabelLink(shipment)]),
	]);
	if (shipmentsTotal > shipments.length) {
		byId('shipments-count').textContent = `${shipmentsTotal}, the newest ${shipments.length} shown`;
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
		element('div', { className: 'muted' }, describeBatch(batch, nameOf)),
	]);
	showList('print-jobs', 'li', printJobs, (job) => [
		element('div', { className: 'line' }, [
			element('b', {}, job.printerName),
			element('span', { className: 'muted nowrap' }, showTime(job.printed)),
		]),
		element('div', { className: 'muted' }, countOf(job.count, job.content.replace(/s$/, ''))),
	]);
}

/** Keeps what is unchanged, so that focus and selection survive; what is new or changed glows. */
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

/** The category as it is: the trigger's filter knows it by this name. */
function showStatus(category) {
	const badge = element('span', { className: 'status' }, category);
	if (/transit/i.test(category)) badge.dataset.tone = 'moving';
	if (/deliver|^active/i.test(category)) badge.dataset.tone = 'done';
	if (/cancel/i.test(category)) badge.dataset.tone = 'stopped';
	return badge;
}

/** The service's own words, where they say more than the category. */
function describeStatus({ name, category }) {
	return name === category ? '' : name;
}

function showLabelLink({ id, packageNumberCarrier }) {
	const link = element('a', { href: `/sandbox/labels/${id}.pdf`, target: '_blank' }, 'Label');
	link.setAttribute('aria-label', `Label of ${packageNumberCarrier}, opens in a new tab`);
	return link;
}

function describeBatch({ carrierCode, packagesCount, errorsCount }, nameOf) {
	const parts = [nameOf(carrierCode), countOf(packagesCount, 'parcel')];
	if (errorsCount > 0) parts.push(`${errorsCount} refused`);
	return parts.filter(Boolean).join(' · ');
}

function countOf(count, noun) {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The service's timestamps have no zone: they are shown as they were written. */
function showTime(timestamp) {
	const [date, time] = timestamp.split('T');
	const [year, month, day] = date.split('-').map(Number);
	const dayName = new Date(year, month - 1, day).toLocaleDateString('en-GB', {
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
