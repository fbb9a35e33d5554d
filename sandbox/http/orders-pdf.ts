import PDFDocument from 'pdfkit';
import type { Books, StoredShipment } from '../domain/books';

/** The orders of a batch, one line per shipment. */
export async function renderOrdersPdf(shipments: StoredShipment[], books: Books): Promise<Buffer> {
	const document = new PDFDocument({ size: 'A4' });
	const chunks: Buffer[] = [];
	document.on('data', (chunk: Buffer) => chunks.push(chunk));
	const ended = new Promise<void>((resolve) => document.on('end', resolve));
	for (const shipment of shipments) {
		const order = books.seed.orders.find(({ id }) => id === shipment.input.orderId);
		document.text(`${order?.number ?? ''}   ${shipment.packageNumberCarrier}`);
	}
	document.end();
	await ended;
	return Buffer.concat(chunks);
}
