import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { readSeed } from '../domain/seed';

const files = [
	{ url: '/', file: 'page.html', type: 'text/html; charset=utf-8' },
	{ url: '/colors.css', file: 'colors.css', type: 'text/css; charset=utf-8' },
	{ url: '/lists.css', file: 'lists.css', type: 'text/css; charset=utf-8' },
	{ url: '/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
	{ url: '/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
];

// The page shows data from requests. None of it may run scripts or load files.
const contentSecurityPolicy =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";

/** Serves the page that shows the contents of the sandbox. */
export async function homePage(app: FastifyInstance): Promise<void> {
	const { header } = readSeed().credentials;
	app.get('/sandbox/credentials', () => ({ header }));

	for (const { url, file, type } of files) {
		const content = readFileSync(join(__dirname, file), 'utf8');
		app.get(url, (_request, reply) =>
			reply.type(type).header('content-security-policy', contentSecurityPolicy).send(content),
		);
	}
}
