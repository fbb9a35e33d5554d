import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Credentials, readSeed } from '../domain/seed';

const files = [
	{ url: '/', file: 'page.html', type: 'text/html; charset=utf-8' },
	{ url: '/colours.css', file: 'colours.css', type: 'text/css; charset=utf-8' },
	{ url: '/lists.css', file: 'lists.css', type: 'text/css; charset=utf-8' },
	{ url: '/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
	{ url: '/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
];

// The page shows what senders and recipients wrote; nothing of that may run or load anything.
const onlyOwnFiles =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";

export interface HomePageOptions {
	/** What the first steps tell a newcomer to sign in with; the seed's by default. */
	credentials?: Credentials;
}

/** The page on which a newcomer sees what the sandbox holds. */
export async function homePage(app: FastifyInstance, options: HomePageOptions): Promise<void> {
	const { header } = options.credentials ?? readSeed().credentials;
	app.get('/sandbox/credentials', () => ({ header }));

	for (const { url, file, type } of files) {
		const content = readFileSync(join(__dirname, file), 'utf8');
		app.get(url, (_request, reply) =>
			reply.type(type).header('content-security-policy', onlyOwnFiles).send(content),
		);
	}
}
