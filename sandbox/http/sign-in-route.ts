import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../domain/service-error';
import { exchange } from './exchange';
import type { ServiceState } from './state';

export function signInRoute(app: FastifyInstance, state: ServiceState): void {
	const { settings } = state.sessions;
	app.post(settings.path, { config: { routeName: 'signIn' } }, (request, reply) =>
		exchange('signIn', request, reply, state, { credential: false }, () => {
			const body = (request.body ?? {}) as Record<string, unknown>;
			const known =
				body[settings.userField] === settings.username &&
				body[settings.passwordField] === settings.password;
			if (!known) throw new ServiceError(401, 'The user name or the password is wrong');
			return nested(settings.tokenField.split('.'), state.sessions.open());
		}),
	);
}

function nested(path: string[], value: string): Record<string, unknown> {
	const [first = 'token', ...rest] = path;
	return { [first]: rest.length > 0 ? nested(rest, value) : value };
}
