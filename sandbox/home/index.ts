import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const packages = join(__dirname, '../../node_modules');
const files = {
	'/': join(__dirname, 'page.html'),
	'/page.css': join(__dirname, 'page.css'),
	'/page.js': join(__dirname, 'page.js'),
	'/pico.css': join(packages, '@picocss/pico/css/pico.jade.min.css'),
	'/lit-html.js': join(packages, 'lit-html/lit-html.js'),
	'/directive.js': join(packages, 'lit-html/directive.js'),
	'/directive-helpers.js': join(packages, 'lit-html/directive-helpers.js'),
	'/directives/repeat.js': join(packages, 'lit-html/directives/repeat.js'),
};
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

// The page shows data from requests. None of it may run scripts or load files.
const contentSecurityPolicy =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";

/** Serves the page that shows the contents of the sandbox. */
export function homePage(app: FastifyInstance): void {
	for (const [url, file] of Object.entries(files)) {
		const type = types[file.split('.').at(-1) as keyof typeof types];
		app.get(url, (_request, reply) =>
			reply
				.type(`${type}; charset=utf-8`)
				.header('content-security-policy', contentSecurityPolicy)
				.send(readFileSync(file, 'utf8')),
		);
	}
}
