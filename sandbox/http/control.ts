import type { FastifyInstance, FastifyReply } from 'fastify';
import { track } from '../domain/tracking';
import type { Sandbox } from '../controls';
import { loginPage } from './faults';
import { type FileContents, jobFile, shipmentLabelFile } from './labelFiles';
import { renderFile } from './renderFile';
import { contextOf, type ServiceState } from './state';

export function controlRoutes(app: FastifyInstance, state: ServiceState, sandbox: Sandbox): void {
	app.get('/sandbox/state', () => sandbox.state());
	app.get('/sandbox/elsewhere', (_request, reply) => reply.type('text/html').send(loginPage));
	app.get<{ Params: { number: string } }>('/sandbox/tracking/:number', ({ params }) => {
		const carrierCode = state.database.shipmentByNumber(params.number)?.carrierCode ?? '';
		return track({ packages: [params.number] }, carrierCode, contextOf(state))[0];
	});

	const sendFile = async (file: FileContents, reply: FastifyReply) => {
		const { content, headers } = await renderFile(file, state);
		return await reply.type(String(headers['content-type'])).send(content);
	};
	app.get<{ Params: { id: string } }>('/sandbox/labels/:id.pdf', ({ params }, reply) =>
		sendFile(shipmentLabelFile(Number(params.id), state), reply),
	);
	app.get<{ Params: { hash: string } }>('/sandbox/jobs/:hash', ({ params }, reply) =>
		sendFile(jobFile(params.hash, state), reply),
	);
	app.post<{ Body: { hours: number } }>('/sandbox/advance', ({ body: { hours } }) => {
		sandbox.advance(hours);
		return {};
	});
	app.post('/sandbox/reset', () => {
		sandbox.reset();
		return {};
	});
}
