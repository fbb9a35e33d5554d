// The part of the shops' public APIs that the workflows use: reading, updating and fulfilling an order, and WooCommerce's webhooks.
//   https://woocommerce.github.io/woocommerce-rest-api-docs/#update-an-order
//   https://shopify.dev/docs/api/admin-graphql/2025-10/mutations/fulfillmentCreate
//   https://shopify.dev/docs/api/admin-rest/2024-07/resources/order#put-orders-order-id
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import type { WorkflowNode } from '../../../scripts/demo/rest';
import type { E2eSetup } from './e2eSetup';

const folder = path.resolve(__dirname, '../../../.cache/shop');
const keyFile = path.join(folder, 'key.pem');
/** n8n's Shopify node only uses HTTPS, so the suite's n8n trusts this certificate. */
export const certificate = path.join(folder, 'certificate.pem');

export function createCertificate(): void {
	if (existsSync(certificate)) return;
	mkdirSync(folder, { recursive: true });
	const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
	const files = ['-keyout', keyFile, '-out', certificate];
	execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '3650', ...subject, ...files], {
		stdio: 'pipe',
	});
}

const SHOPS = {
	wooCommerce: {
		/** The first group is the ID of the order. */
		orders: /^\/wp-json\/wc\/v3\/orders\/(\d+)$/,
		/** What the shop is asked to fulfill, and so to tell the customer. */
		fulfillments: /^\/wp-json\/wc\/v3\/orders\/\d+\/fulfillments\?notify_customer=true$/,
		secret: ['authorization', `Basic ${btoa('ck_shop:cs_shop')}`],
		type: 'wooCommerceApi',
		credential: (host: string): object => ({
			...{ url: `https://${host}`, consumerKey: 'ck_shop', consumerSecret: 'cs_shop' },
		}),
	},
	shopify: {
		orders: /^\/\.myshopify\.com\/admin\/api\/2024-07\/+orders\/(\d+)\.json$/,
		fulfillments: /^\/graphql\.json$/,
		secret: ['x-shopify-access-token', 'shpat_shop'],
		type: 'shopifyAccessTokenApi',
		// The node calls https://<subdomain>.myshopify.com.
		credential: (host: string): object => ({
			...{ shopSubdomain: `${host}/`, accessToken: 'shpat_shop', appSecretKey: 'x' },
		}),
	},
};

export type ShopName = keyof typeof SHOPS;

/** Starts a shop that has every order. `select` gives its credential to a node and activates it. */
export async function startShop(setup: E2eSetup, name: ShopName) {
	const { orders, fulfillments: ofFulfillments, secret, type, credential } = SHOPS[name];
	const [header = '', expected] = secret;
	const updates: Array<{ id: number; order: object }> = [];
	const fulfillments: Array<Record<string, unknown>> = [];
	let webhook = { delivery_url: '', secret: '' };
	const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
		const { method, url = '', headers } = request;
		const body = JSON.parse((await text(request)) || '{}') as Record<string, object>;
		if (headers[header] !== expected) return [401, { code: 'unauthorized' }];
		if (url.startsWith('/wp-json/wc/v3/webhooks')) {
			if (method === 'POST') webhook = body as never;
			return [200, method === 'GET' ? [] : { id: 1 }];
		}
		if (method === 'POST' && ofFulfillments.test(url)) {
			if (!String(body.query).startsWith('query')) fulfillments.push(body);
			const nodes = [{ id: 'gid://shopify/FulfillmentOrder/1' }];
			return [201, { data: { order: { fulfillmentOrders: { nodes } } } }];
		}
		const id = Number(orders.exec(url)?.[1]);
		if (!id) return [404, { code: 'not_found' }];
		const line_items = [{ id: id + 400, quantity: 2, sku: 'SKU-1' }];
		if (method === 'GET') return [200, { id, number: String(id), line_items }];
		// Shopify has the order in a field of its own.
		const order = body.order ?? body;
		updates.push({ id, order });
		const self = [{ href: `https://${headers.host}${url}` }];
		const updated = { id, ...order, line_items, _links: { self } };
		return [200, body.order ? { order: updated } : updated];
	};
	const respond = async (request: IncomingMessage, response: ServerResponse) => {
		const [status, body] = await answer(request);
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	};
	const files = { key: readFileSync(keyFile), cert: readFileSync(certificate) };
	const server = createServer(files, (request, response) => void respond(request, response));
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const stored = await setup.n8n.createCredential({ name, type, data: credential(host) });
	const { id } = stored;
	return {
		credential: stored,
		updates,
		fulfillments,
		/** Calls the webhook of WooCommerce, as after an order of a customer. */
		placeOrder: async (order: object) => {
			const body = JSON.stringify(order);
			const signature = createHmac('sha256', webhook.secret).update(body).digest('base64');
			const headers = {
				'content-type': 'application/json',
				...{ 'x-wc-webhook-id': '1', 'x-wc-webhook-signature': signature },
			};
			const response = await fetch(webhook.delivery_url, { method: 'POST', headers, body });
			expect(response.ok).toBe(true);
		},
		select: (node: WorkflowNode): WorkflowNode => {
			if (!/\.(wooCommerce|shopify|httpRequest)$/.test(node.type) || !node.disabled) return node;
			const saved = JSON.stringify(node.parameters);
			const parameters = JSON.parse(saved.replace(/https:[^"]*(?=\/graphql)/, `https://${host}`));
			return { ...node, parameters, disabled: false, credentials: { [type]: { id, name } } };
		},
		close: () => server.close(),
	};
}
