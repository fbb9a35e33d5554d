import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

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
