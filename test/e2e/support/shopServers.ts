import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** The part of WooCommerce's REST API that n8n's nodes use: webhooks and updates of orders. */
export class WooCommerceServer {
	readonly updates: Array<{ path: string; body: object }> = [];

	private webhook: { delivery_url: string; secret: string; topic: string } | undefined;

	private readonly server: Server = createServer((request, response) => {
		const { method = '', url = '' } = request;
		void text(request).then((received) => {
			const body = (received ? JSON.parse(received) : {}) as typeof this.webhook & object;
			const path = url.replace(/\?.*/, '').replace('/wp-json/wc/v3', '');
			if (method === 'POST' && path === '/webhooks') this.webhook = body;
			if (method === 'PUT') this.updates.push({ path, body });
			const isList = method === 'GET';
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(isList ? [] : { id: 1, ...body }));
		});
	});

	async start(): Promise<string> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Calls the webhook like WooCommerce when a customer has placed an order. */
	async placeOrder(order: object): Promise<void> {
		if (!this.webhook) throw new Error('No webhook was registered');
		const { delivery_url: url, secret, topic } = this.webhook;
		const body = JSON.stringify(order);
		const headers = {
			'content-type': 'application/json',
			'x-wc-webhook-id': '1',
			'x-wc-webhook-topic': topic,
			'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
		};
		const response = await fetch(url, { method: 'POST', headers, body });
		if (!response.ok) throw new Error(`The webhook responded with ${response.status}`);
	}

	close(): void {
		this.server.close();
		this.server.closeAllConnections();
	}
}

/** A mail server that keeps what it gets. */
export class MailServer {
	readonly mails: string[] = [];

	private readonly server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData: (stream, _session, callback) => {
			void text(stream).then((mail) => {
				this.mails.push(mail);
				callback();
			});
		},
	});

	async start(): Promise<number> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return (this.server.server.address() as AddressInfo).port;
	}

	close(): void {
		this.server.close();
	}
}
