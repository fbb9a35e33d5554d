import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps what it gets. */
export async function startMailServer() {
	const mails: string[] = [];
	const server = new SMTPServer({
		...{ authOptional: true, disabledCommands: ['STARTTLS'] },
		onData: (stream, _session, callback) =>
			void text(stream).then((mail) => {
				mails.push(mail);
				callback();
			}),
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.server.address() as AddressInfo;
	return { mails, port, close: () => server.close() };
}
