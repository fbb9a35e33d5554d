import { once } from 'node:events';
import { createServer } from 'node:net';

/** `wanted`, or the next free port after it. */
export async function freePort(wanted: number): Promise<number> {
	const server = createServer().listen(wanted, '127.0.0.1');
	const isFree = await once(server, 'listening').then(
		() => true,
		() => false,
	);
	if (!isFree) return await freePort(wanted + 1);
	await once(server.close(), 'close');
	return wanted;
}
