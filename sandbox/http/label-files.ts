import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PrintableJob, StoredShipment } from '../domain/books';
import { labelOf } from '../domain/label';
import { validJob } from '../domain/printing';
import type { LabelFormat, LabelLayout } from '../domain/seed';
import { ServiceError } from '../domain/service-error';
import { renderLabelsPdf, renderLabelsZpl } from '../labels';
import { renderOrdersPdf } from './orders-pdf';
import { exchange, type Outcome } from './exchange';
import type { ServiceState } from './state';

type File = NonNullable<Outcome['file']>;

/** Label files, at addresses the service hands out; how they look is the sandbox's own matter. */
export function labelFileRoutes(
	app: FastifyInstance,
	state: ServiceState,
	conditions: { credential: boolean },
): void {
	const serve = (request: FastifyRequest, reply: FastifyReply, file: () => Promise<File>) =>
		exchange('labelFile', request, reply, state, { ...conditions, isFile: true }, file);
	const config = { routeName: 'labelFile' } as const;

	app.get<{ Params: { hash: string } }>('/files/job/:hash', { config }, (request, reply) =>
		serve(request, reply, async () => {
			const job = validJob(request.params.hash, state.books, state.clock.nowMs());
			return await jobFile(job, state);
		}),
	);
	app.get<{ Params: { id: string } }>('/files/shipment/:id', { config }, (request, reply) =>
		serve(request, reply, () => shipmentLabelFile(Number(request.params.id), state)),
	);
}

export async function shipmentLabelFile(id: number, state: ServiceState): Promise<File> {
	const shipment = state.books.shipment(id);
	if (!shipment) throw new ServiceError(404, `There is no shipment with id ${id}`);
	return await labelFile([shipment], 'pdf', 'onePerPage', `label-${id}`, state);
}

async function jobFile(job: PrintableJob, state: ServiceState): Promise<File> {
	const shipments = job.shipmentIds.flatMap((id) => state.books.shipment(id) ?? []);
	if (job.content === 'orders') {
		return fileOf(await renderOrdersPdf(shipments, state.books), 'pdf', 'orders');
	}
	return await labelFile(shipments, job.format, job.layout, `labels-${job.carrierCode}`, state);
}

async function labelFile(
	shipments: StoredShipment[],
	format: LabelFormat,
	layout: LabelLayout,
	name: string,
	state: ServiceState,
): Promise<File> {
	const { labelFileBytes } = state.options;
	if (labelFileBytes !== undefined) {
		const { headers } = fileOf(Buffer.alloc(0), format, name);
		return {
			content: Readable.from(hugeFile(format, labelFileBytes)),
			headers: { ...headers, 'content-length': labelFileBytes },
		};
	}
	const labels = shipments.map((shipment) => labelOf(shipment, state.books));
	const content =
		format === 'pdf' ? await renderLabelsPdf(labels, layout) : renderLabelsZpl(labels);
	return fileOf(content, format, name);
}

function fileOf(content: Buffer, format: LabelFormat, name: string): File {
	return {
		content,
		headers: {
			'content-type': format === 'pdf' ? 'application/pdf' : 'application/zpl',
			'content-disposition': `attachment; filename="${name}.${format}"`,
		},
	};
}

/** Begins as its format does, so that a client that looks at the first bytes is content. */
function* hugeFile(format: LabelFormat, bytes: number): Generator<Buffer> {
	const block = Buffer.alloc(64 * 1024, ' ');
	const start = Buffer.from(block);
	start.write(format === 'pdf' ? '%PDF-1.7\n' : '^XA\n');
	for (let sent = 0; sent < bytes; sent += block.length) {
		yield (sent === 0 ? start : block).subarray(0, Math.min(block.length, bytes - sent));
	}
}
