import { createServer } from 'node:net';

/** `wanted`, or the next free port after it. */
export async function freePort(wanted: number): Promise<number> {
	for (let port = wanted; port < wanted + 200; port++) {
		if (await isFree(port)) return port;
	}
	throw new Error(`The ports ${wanted} to ${wanted + 199} are all in use`);
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer()
			.once('error', () => resolve(false))
			.once('listening', () => server.close(() => resolve(true)))
			.listen(port, '127.0.0.1');
	});
}
