// Requests the state of the sandbox every second and shows it. lit-html inserts data as text, never as
// HTML: a recipient's name may contain tags.
import { repeat } from '/directives/repeat.js';
import { html, nothing, render } from '/lit-html.js';

const hoursPerClick = 6;

let state;
let problem = '';
/** The lists that the user has opened. */
const opened = new Set();

async function request(path, body) {
	const headers = { 'content-type': 'application/json' };
	const post = { method: 'POST', headers, body: JSON.stringify(body) };
	const response = await fetch(path, body && post);
	if (!response.ok) throw new Error(`${response.url} returned status ${response.status}`);
	return await response.json();
}

async function refresh() {
	try {
		state = await request('/sandbox/state');
		problem = '';
	} catch (error) {
		problem = `Could not reach the sandbox (${error.message}). Check that it is running. Retrying…`;
	}
	show();
}

async function command(path, body) {
	try {
		await request(path, body);
		await refresh();
	} catch (error) {
		problem = `Request failed: ${error.message}.`;
		show();
	}
}

const advance = () => command('/sandbox/advance', { hours: hoursPerClick });
const reset = () => {
	const question = 'Reset the sandbox? This deletes all shipments, batches and print jobs in it.';
	if (confirm(question)) void command('/sandbox/reset', {});
};

/** Shows timestamps unchanged, because they carry no offset. */
const time = (timestamp) =>
	new Date(timestamp).toLocaleString('en-US', {
		...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
	});
const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
const carrierName = (code) => state.carriers.find((each) => each.code === code)?.name ?? code;
const printerName = ({ name, displayName }) => `${displayName} (${name})`;

/** Shows the name unchanged, because the trigger filters by this name of a category. */
function badge(name) {
	const isDone = /deliver|^active/i.test(name) && 'done';
	const tone = (/transit/i.test(name) && 'moving') || (/cancel/i.test(name) && 'stopped') || isDone;
	return html`<mark class=${tone || ''}>${name}</mark>`;
}

const small = (text) => (text ? html`<small>${text}</small>` : nothing);
const linkTo = (path, text) => html`<a href=${path} target="_blank">${text}</a>`;
const jobLink = (text, hash) =>
	hash ? linkTo(`/sandbox/jobs/${hash}`, text) : html`<b>${text}</b>`;

/** A list with its first entries, and all of them after a click. */
function list(title, records, { limit = 5, empty, keyOf, row, frame, total = records.length }) {
	const shown = opened.has(title) ? records : records.slice(0, limit);
	const toggle = () => {
		if (!opened.delete(title)) opened.add(title);
		show();
	};
	const text = opened.has(title) ? 'Show fewer' : `Show all ${records.length}`;
	return html`<section>
		<h2>${title} ${records.length > 0 ? total : ''}</h2>
		<article>
			${records.length > 0 ? frame(repeat(shown, keyOf, row)) : empty}
			${records.length > limit
				? html`<button class="outline secondary" @click=${toggle}>${text}</button>`
				: nothing}
		</article>
	</section>`;
}

const lines = (rows) =>
	html`<ul>
		${rows}
	</ul>`;
const line = (left, right, below) =>
	html`<li>
		<div class="line">${left}<small>${right}</small></div>
		${small(below)}
	</li>`;

const firstSteps = () =>
	html`<p>No shipments yet. Create your first one in n8n:</p>
		<ol>
			<li>
				Add a <b>Parcel Shipping API</b> credential with the <b>Base URL</b>
				<code>${location.origin}/api</code>, the <b>Header Name</b>
				<code>${state.credential.name}</code> and the <b>API Key</b>
				<code>${state.credential.value}</code>.
			</li>
			<li>
				Add a <b>Parcel Shipping</b> node to a workflow and select the <b>Shipment</b> resource and
				the <b>Create</b> operation.
			</li>
			<li>Execute the workflow. The shipment appears here within a second.</li>
			<li>
				Click <b>Advance tracking ${hoursPerClick} hours</b> to add tracking events. The
				<b>Parcel Shipping Trigger</b> picks them up on its next poll.
			</li>
		</ol>`;

const shipmentTable = (rows) =>
	html`<div class="overflow-auto">
		<table>
			<thead>
				<tr>
					${['Shipment', 'Recipient', 'Carrier and service', 'Status', 'Created', 'Label'].map(
						(caption) => html`<th scope="col">${caption}</th>`,
					)}
				</tr>
			</thead>
			<tbody>
				${rows}
			</tbody>
		</table>
	</div>`;

function shipmentRow(piece) {
	const { id, status, events, codPrice, branchId, branchName } = piece;
	const position = `Piece ${piece.pieceIndex + 1} of ${piece.pieceCount}`;
	return html`<tr>
		<th scope="row">
			<code>${piece.packageNumberCarrier}</code>
			${small(piece.packageNumberCustom)} ${small(piece.pieceCount > 1 && position)}
		</th>
		<td>${piece.recName || piece.recCompany} ${small(piece.recCity)}</td>
		<td>
			${carrierName(piece.carrierCode)} ${small(piece.serviceName)}
			${small(codPrice > 0 && `COD ${codPrice} ${piece.codCurrency}`)}
			${small(branchId && `Pickup point ${[branchId, branchName].filter(Boolean).join(', ')}`)}
		</td>
		<td>
			${badge(status.category)}
			<details>
				<summary><small>${status.name}, ${count(events.length, 'event')}</small></summary>
				<ol>
					${events.map(({ date, name }) => html`<li><small>${time(date)} ${name}</small></li>`)}
				</ol>
			</details>
		</td>
		<td><small>${time(piece.created)}</small></td>
		<td>${linkTo(`/sandbox/labels/${id}.pdf`, 'Label')}</td>
	</tr>`;
}

function lists() {
	const { shipments, shipmentsTotal, piecesTotal, printJobs, batches, printers, carriers } = state;
	const inPieces = piecesTotal > shipmentsTotal ? `, in ${piecesTotal} pieces` : '';
	const rest = piecesTotal > shipments.length ? `, showing the newest ${shipments.length}` : '';
	const ofPrinter = (name) => printerName(printers.find((printer) => printer.name === name));
	const entries = { frame: lines, keyOf: (_, index) => index };
	return [
		list('Shipments', shipments, {
			...{ limit: 10, empty: firstSteps(), frame: shipmentTable, row: shipmentRow },
			...{ keyOf: ({ id }) => id, total: `${shipmentsTotal}${inPieces}${rest}` },
		}),
		list('Print jobs', printJobs, {
			...entries,
			empty: html`Labels that you send with <b>Label: Send to Printer</b> appear here.`,
			row: ({ printerName: name, hash, printed, count: number, content }) =>
				line(jobLink(ofPrinter(name), hash), time(printed), count(number, content.slice(0, -1))),
		}),
		list('Batches', batches, {
			...entries,
			empty: 'Every request that creates shipments creates a batch.',
			row: ({ id, labelsHash, created, carrierCode, packagesCount, errorsCount }) => {
				const refused = errorsCount > 0 ? `, ${errorsCount} refused` : '';
				const content = `${carrierName(carrierCode)}, ${count(packagesCount, 'piece')}${refused}`;
				return line(jobLink(`Batch ${id}`, labelsHash), time(created), content);
			},
		}),
		list('Printers', printers, {
			...entries,
			row: (printer) => line(html`<b>${printerName(printer)}</b>`, printer.state),
		}),
		list('Carriers', carriers, {
			...entries,
			row: ({ name, status, code }) => line(html`<b>${name}</b>`, badge(status), code),
		}),
	];
}

function show() {
	const page = html`<header>
			<hgroup>
				<h1>Parcel shipping sandbox</h1>
				<p>Simulates the shipping service. No data is sent to a carrier.</p>
			</hgroup>
			<div>
				${state && time(state.now)}
				<button @click=${advance}>Advance tracking ${hoursPerClick} hours</button>
				<button class="outline secondary" @click=${reset}>Reset</button>
			</div>
		</header>
		${problem && html`<p role="alert">${problem}</p>`}
		<main>${state && lists()}</main>`;
	render(page, document.body);
}

async function poll() {
	await refresh();
	setTimeout(poll, 1000);
}

void poll();
