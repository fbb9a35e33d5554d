import type { FastifyInstance } from 'fastify';
import { localTimestamp } from '../domain/clock';
import { track } from '../domain/tracking';
import type { Sandbox } from '../sandbox';
import { loginPage } from './faultResponses';
import type { Fault } from './faults';
import type { ServerState } from './handler';
import { jobFile, shipmentLabelFile } from './labelFiles';
import { renderFile } from './renderFile';
import { contextOf } from './state';

/** Routes under /sandbox that control the sandbox. They are not part of the service. */
export function controlRoutes(app: FastifyInstance, state: ServerState, sandbox: Sandbox): void {
	app.get('/sandbox/state', () => sandbox.state());
	app.get('/sandbox/database', () => ({
		carriers: sandbox.database.carriers(),
		printers: state.database.seed.printers,
		orders: state.database.seed.orders,
		shipments: sandbox.database.shipments(),
		batches: sandbox.database.batches(),
		printJobs: sandbox.database.printJobs(),
		handOvers: sandbox.database.handOvers(),
	}));
	app.get('/sandbox/requests', () => sandbox.requests);
	app.get('/sandbox/faults', () => state.faults.list());
	app.get('/sandbox/elsewhere', (_request, reply) => reply.type('text/html').send(loginPage));
	app.get<{ Params: { number: string } }>('/sandbox/tracking/:number', ({ params }) => {
		const carrierCode = state.database.shipmentByNumber(params.number)?.carrierCode ?? '';
		return track([params.number], carrierCode, contextOf(state))[0];
	});

	app.get<{ Params: { id: string } }>('/sandbox/labels/:id.pdf', async ({ params }, reply) => {
		const { content, headers } = await renderFile(
			shipmentLabelFile(Number(params.id), state),
			state,
		);
		return await reply.type(String(headers['content-type'])).send(content);
	});

	app.get<{ Params: { hash: string } }>('/sandbox/jobs/:hash', async ({ params }, reply) => {
		const { content, headers } = await renderFile(jobFile(params.hash, state), state);
		return await reply.type(String(headers['content-type'])).send(content);
	});

	app.post<{ Body: { hours: number } }>('/sandbox/advance', ({ body }, reply) => {
		if (!Number.isFinite(body?.hours)) {
			return reply.code(400).send({ message: 'Send {"hours": 24} to move the clock forward' });
		}
		sandbox.advance(body.hours);
		return reply.send({ clock: localTimestamp(state.clock.nowMs()) });
	});
	app.post<{ Body: Fault | Fault[] }>('/sandbox/faults', ({ body }) => {
		for (const fault of [body].flat()) sandbox.fault(fault);
		return state.faults.list();
	});
	app.delete('/sandbox/faults', () => {
		sandbox.clearFaults();
		return [];
	});
	app.post('/sandbox/reset', () => {
		sandbox.reset();
		return {};
	});
}
