// The part of the shops' public APIs that the workflows use: reading, updating and fulfilling an order, and WooCommerce's webhooks.
//   https://woocommerce.github.io/woocommerce-rest-api-docs/#update-an-order
//   https://shopify.dev/docs/api/admin-graphql/2025-10/mutations/fulfillmentCreate
//   https://shopify.dev/docs/api/admin-rest/2024-07/resources/order#put-orders-order-id
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import {
	createServer as createHttpServer,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
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

interface ShopKind {
	/** The first group is the ID of the order. */
	route: RegExp;
	authorization: [header: string, value: string];
	/** Whether the order is in a field of its own, in requests and responses. */
	wrapped?: boolean;
	credential: (port: number) => { type: string; data: object };
}

const KINDS = {
	wooCommerce: {
		route: /^\/wp-json\/wc\/v3\/orders\/(\d+)$/,
		authorization: ['authorization', `Basic ${btoa('ck_shop:cs_shop')}`],
		credential: (port) => ({
			type: 'wooCommerceApi',
			data: {
				url: `http://127.0.0.1:${port}`,
				consumerKey: 'ck_shop',
				consumerSecret: 'cs_shop',
			},
		}),
	},
	shopify: {
		route: /^\/\.myshopify\.com\/admin\/api\/2024-07\/+orders\/(\d+)\.json$/,
		authorization: ['x-shopify-access-token', 'shpat_shop'],
		wrapped: true,
		credential: (port) => ({
			type: 'shopifyAccessTokenApi',
			// The node calls https://<subdomain>.myshopify.com.
			data: { shopSubdomain: `127.0.0.1:${port}/`, accessToken: 'shpat_shop', appSecretKey: 'x' },
		}),
	},
} satisfies Record<string, ShopKind>;

/** What the shop is asked to fulfill, and so to tell the customer. */
const FULFILLMENTS =
	/^\/wp-json\/wc\/v3\/orders\/\d+\/fulfillments\?notify_customer=true$|^\/graphql\.json$/;
const WEBHOOKS = /^\/wp-json\/wc\/v3\/webhooks/;

export type ShopName = keyof typeof KINDS;

/** Starts a shop that has these orders. `select` gives its credential to a node and activates it. */
export async function startShop(setup: E2eSetup, name: ShopName, orderIds: number[]) {
	const { route, authorization, wrapped = false, credential }: ShopKind = KINDS[name];
	const updates: Array<{ id: number; order: object }> = [];
	const fulfillments: Array<{ url: string; body: Record<string, unknown> }> = [];
	let webhook: { delivery_url: string; secret: string } | undefined;
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const received = await text(request);
		const reply = (status: number, body: object) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		const { method, url = '', headers } = request;
		const [header, value] = authorization;
		if (headers[header] !== value) return reply(401, { code: 'unauthorized' });
		if (WEBHOOKS.test(url)) {
			if (method === 'POST') webhook = JSON.parse(received);
			return reply(200, method === 'GET' ? [] : { id: 1 });
		}
		if (method === 'POST' && FULFILLMENTS.test(url)) {
			const body = JSON.parse(received);
			if (!String(body.query).startsWith('query')) fulfillments.push({ url, body });
			const nodes = [{ id: 'gid://shopify/FulfillmentOrder/1' }];
			return reply(201, { data: { order: { fulfillmentOrders: { nodes } } } });
		}
		const id = Number(route.exec(url)?.[1]);
		const line_items = [{ id: id + 400, quantity: 2, sku: 'SKU-1' }];
		if (!orderIds.includes(id)) return reply(404, { code: 'not_found' });
		if (method === 'GET') return reply(200, { id, number: String(id), line_items });
		const body = JSON.parse(received);
		const order = wrapped ? body.order : body;
		updates.push({ id, order });
		const self = [{ href: `http://${headers.host}${url}` }];
		const updated = { id, ...order, line_items, _links: { self } };
		return reply(200, wrapped ? { order: updated } : updated);
	};
	const listener: RequestListener = (request, response) => void answer(request, response);
	const server =
		name === 'shopify'
			? createHttpsServer({ key: readFileSync(keyFile), cert: readFileSync(certificate) }, listener)
			: createHttpServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const { type, data } = credential(port);
	const stored = await setup.n8n.createCredential({ name, type, data });
	const { id } = stored;
	return {
		credential: stored,
		updates,
		fulfillments,
		/** Calls the webhook of WooCommerce, as after an order of a customer. */
		placeOrder: async (order: object) => {
			if (!webhook) throw new Error('No webhook was registered');
			const body = JSON.stringify(order);
			const signature = createHmac('sha256', webhook.secret).update(body).digest('base64');
			const headers = {
				'content-type': 'application/json',
				'x-wc-webhook-id': '1',
				'x-wc-webhook-signature': signature,
			};
			const response = await fetch(webhook.delivery_url, { method: 'POST', headers, body });
			if (!response.ok) throw new Error(`The webhook responded with ${response.status}`);
		},
		select: (node: WorkflowNode): WorkflowNode => {
			if (!/\.(wooCommerce|shopify|httpRequest)$/.test(node.type) || !node.disabled) return node;
			const url = String(node.parameters.url ?? '').replace(
				/^https:.*(?=\/graphql)/,
				`https://127.0.0.1:${port}`,
			);
			const parameters = { ...node.parameters, ...(url ? { url } : {}) };
			return { ...node, parameters, disabled: false, credentials: { [type]: { id, name } } };
		},
		close: () => server.close(),
	};
}
