import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import PDFDocument from 'pdfkit';
import type { Database, PrintableJob, StoredShipment } from '../domain/database';
import { labelOf } from '../domain/label';
import { validJob } from '../domain/printing';
import type { LabelFormat } from '../domain/seed';
import { ServiceError } from '../domain/validation';
import { renderLabelsPdf } from '../labels/pdf';
import { renderLabelsZpl } from '../labels/zpl';
import { handleRequest } from './handler';
import type { ServiceResponse } from './responses';
import type { ServiceState } from './state';

type File = NonNullable<ServiceResponse['file']>;

/** Serves label files. The interface document does not specify their layout. */
export function labelFileRoutes(
	app: FastifyInstance,
	state: ServiceState,
	options: { needsCredential: boolean },
): void {
	const serve = (request: FastifyRequest, reply: FastifyReply, file: () => Promise<File>) =>
		handleRequest('labelFile', request, reply, state, options, async () => ({
			status: 200,
			file: await file(),
		}));
	const config = { routeName: 'labelFile' } as const;

	app.get<{ Params: { hash: string } }>('/files/job/:hash', { config }, (request, reply) =>
		serve(request, reply, () => jobFile(request.params.hash, state)),
	);
	app.get<{ Params: { id: string } }>('/files/protocol/:id', { config }, (request, reply) =>
		serve(request, reply, () => protocolFile(Number(request.params.id), state)),
	);
	app.get<{ Params: { id: string } }>('/files/shipment/:id', { config }, (request, reply) =>
		serve(request, reply, () => shipmentLabelFile(Number(request.params.id), state)),
	);
}

/** What a print hash refers to. */
export async function jobFile(hash: string, state: ServiceState): Promise<File> {
	return await renderJobFile(validJob(hash, state.database, state.clock.nowMs()), state);
}

export async function shipmentLabelFile(id: number, state: ServiceState): Promise<File> {
	const shipment = state.database.shipment(id);
	if (!shipment) throw new ServiceError(404, `There is no shipment with id ${id}`);
	const file = { format: 'pdf', layout: 'onePerPage', name: `label-${id}` } as const;
	return await renderLabelFile([shipment], file, state);
}

async function renderJobFile(job: PrintableJob, state: ServiceState): Promise<File> {
	const shipments = job.shipmentIds.flatMap((id) => state.database.shipment(id) ?? []);
	if (job.content === 'orders') {
		return toFile(await renderOrdersPdf(shipments, state.database), 'pdf', 'orders');
	}
	const file = { ...job, name: `labels-${job.carrierCode}` };
	return await renderLabelFile(shipments, file, state);
}

/** What the driver signs: the numbers of all pieces that were handed over. */
async function protocolFile(id: number, { database }: ServiceState): Promise<File> {
	const handOver = database.handOvers.find((each) => each.id === id);
	if (!handOver) throw new ServiceError(404, `There is no hand-over with id ${id}`);
	const { carrierCode, date, shipmentIds } = handOver;
	const pieces = shipmentIds.flatMap((shipmentId) => database.pieces(shipmentId));
	const lines = [
		`Hand over ${id} to ${carrierCode}, ${date}, ${pieces.length} pieces`,
		...pieces.map(({ packageNumberCarrier }) => packageNumberCarrier),
	];
	return toFile(await renderLinesPdf(lines), 'pdf', `protocol-${carrierCode}-${id}`);
}

/** The orders of a batch, one line per shipment. */
async function renderOrdersPdf(shipments: StoredShipment[], database: Database): Promise<Buffer> {
	return await renderLinesPdf(
		shipments.map((shipment) => {
			const order = database.seed.orders.find(({ id }) => id === shipment.input.orderId);
			return `${order?.number ?? ''}   ${shipment.packageNumberCarrier}`;
		}),
	);
}

async function renderLinesPdf(lines: string[]): Promise<Buffer> {
	const document = new PDFDocument({ size: 'A4' });
	const chunks: Buffer[] = [];
	document.on('data', (chunk: Buffer) => chunks.push(chunk));
	const ended = new Promise<void>((resolve) => document.on('end', resolve));
	for (const line of lines) document.text(line);
	document.end();
	await ended;
	return Buffer.concat(chunks);
}

async function renderLabelFile(
	shipments: StoredShipment[],
	{
		format,
		layout,
		skip,
		name,
	}: Pick<PrintableJob, 'format' | 'layout' | 'skip'> & { name: string },
	state: ServiceState,
): Promise<File> {
	const { labelFileBytes } = state.options;
	if (labelFileBytes !== undefined) {
		const { headers } = toFile(Buffer.alloc(0), format, name);
		return {
			content: Readable.from(paddedFile(format, labelFileBytes)),
			headers: { ...headers, 'content-length': labelFileBytes },
		};
	}
	const labels = shipments.map((shipment) => labelOf(shipment, state.database));
	const content =
		format === 'pdf' ? await renderLabelsPdf(labels, layout, skip) : renderLabelsZpl(labels);
	return toFile(content, format, name);
}

function toFile(content: Buffer, format: LabelFormat, name: string): File {
	return {
		content,
		headers: {
			'content-type': format === 'pdf' ? 'application/pdf' : 'application/zpl',
			'content-disposition': `attachment; filename="${name}.${format}"`,
		},
	};
}

/** Starts with the signature of its format, for clients that check the first bytes. */
function* paddedFile(format: LabelFormat, bytes: number): Generator<Buffer> {
	const block = Buffer.alloc(64 * 1024, ' ');
	const start = Buffer.from(block);
	start.write(format === 'pdf' ? '%PDF-1.7\n' : '^XA\n');
	for (let sent = 0; sent < bytes; sent += block.length) {
		yield (sent === 0 ? start : block).subarray(0, Math.min(block.length, bytes - sent));
	}
}
