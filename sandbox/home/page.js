// Requests the state of the sandbox every second and shows it. lit-html inserts data as text, never as
// HTML: a recipient's name may contain tags.
import { repeat } from '/directives/repeat.js';
import { html, nothing, render } from '/lit-html.js';

const hoursPerClick = 6;

let state;
let problem = '';

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
	await request(path, body).catch((error) => alert(`Request failed: ${error.message}.`));
	await refresh();
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
const printerName = (name) =>
	state.printers.find((each) => each.name === name)?.displayName ?? name;
const small = (text) => (text ? html`<small>${text}</small>` : nothing);
const linkTo = (path, text) => html`<a href=${path} target="_blank">${text}</a>`;
const jobLink = (text, hash) => (hash ? linkTo(`/sandbox/jobs/${hash}`, text) : text);

/** A table with its captions, or a text while it is empty. */
const table = (title, captions, rows, empty) =>
	html`<section class="overflow-auto">
		<h2>${title}</h2>
		${rows.length === 0
			? empty
			: html`<table>
					<thead>
						<tr>
							${captions.map((caption) => html`<th scope="col">${caption}</th>`)}
						</tr>
					</thead>
					<tbody>
						${repeat(
							rows,
							([key]) => key,
							([, ...cells]) =>
								html`<tr>
									${cells.map((cell) => html`<td>${cell}</td>`)}
								</tr>`,
						)}
					</tbody>
				</table>`}
	</section>`;

const firstSteps = () =>
	html`<ol>
		<li>
			In n8n, add a <b>Parcel Shipping API</b> credential with the <b>Base URL</b>
			<code>${location.origin}/api</code>, the <b>Header Name</b>
			<code>${state.credential.name}</code> and the <b>API Key</b>
			<code>${state.credential.value}</code>.
		</li>
		<li>Execute a workflow with <b>Shipment: Create</b>. The shipment appears here.</li>
		<li>
			Click <b>Advance tracking ${hoursPerClick} hours</b> to add tracking events. The
			<b>Parcel Shipping Trigger</b> reads them with its next poll.
		</li>
	</ol>`;

/** The category is shown unchanged, because the trigger filters by it. */
const statusOf = ({ status, events }) =>
	html`<mark>${status.category}</mark>
		<details>
			<summary><small>${status.name}, ${count(events.length, 'event')}</small></summary>
			${events.map(({ date, name }) => small(`${time(date)} ${name}`))}
		</details>`;

const rowOfPiece = ({ id, ...piece }) => [
	id,
	html`<code>${piece.packageNumberCarrier}</code> ${small(piece.packageNumberCustom)}
		${small(piece.pieceCount > 1 && `Piece ${piece.pieceIndex + 1} of ${piece.pieceCount}`)}`,
	html`${piece.recName || piece.recCompany} ${small(piece.recCity)}`,
	html`${carrierName(piece.carrierCode)} ${small(piece.serviceName)}
	${small(piece.codPrice > 0 && `COD ${piece.codPrice} ${piece.codCurrency}`)}
	${small(
		piece.branchId &&
			`Pickup point ${[piece.branchId, piece.branchName].filter(Boolean).join(', ')}`,
	)}`,
	statusOf(piece),
	time(piece.created),
	linkTo(`/sandbox/labels/${id}.pdf`, 'Label'),
];
const rowOfJob = ({ printerName: name, hash, printed, shipmentIds }, index) => [
	index,
	...[jobLink(printerName(name), hash), count(shipmentIds.length, 'label'), time(printed)],
];
const rowOfBatch = ({ id, labelsHash, created, carrierCode, packagesCount, errorsCount }) => [
	...[id, jobLink(`Batch ${id}`, labelsHash), carrierName(carrierCode)],
	...[`${count(packagesCount, 'piece')}, ${errorsCount} refused`, time(created)],
];

function tables() {
	const { shipments, piecesTotal, printJobs, batches } = state;
	const captions = ['Shipment', 'Recipient', 'Carrier and service', 'Status', 'Created', 'Label'];
	const newest = shipments.slice(0, 25);
	const title = `Shipments (the newest ${newest.length} of ${count(piecesTotal, 'piece')})`;
	return [
		table(piecesTotal ? title : 'Shipments', captions, newest.map(rowOfPiece), firstSteps()),
		table(
			...['Print jobs', ['Printer', 'Content', 'Printed'], printJobs.map(rowOfJob)],
			html`Labels that you send with <b>Label: Send to Printer</b> appear here.`,
		),
		table(
			...['Batches', ['Batch', 'Carrier', 'Content', 'Created'], batches.map(rowOfBatch)],
			'Every request that creates shipments creates a batch.',
		),
	];
}

function show() {
	const page = html`<header>
			<hgroup>
				<h1>Parcel shipping sandbox</h1>
				<p>Simulates a shipping provider. No data is sent to a carrier.</p>
			</hgroup>
			<div>
				${state && time(state.now)}
				<button @click=${advance}>Advance tracking ${hoursPerClick} hours</button>
				<button class="outline secondary" @click=${reset}>Reset</button>
			</div>
		</header>
		${problem && html`<p role="alert">${problem}</p>`}
		<main>${state && tables()}</main>`;
	render(page, document.body);
}

async function poll() {
	await refresh();
	setTimeout(poll, 1000);
}

void poll();
