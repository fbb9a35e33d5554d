import { keepLatest } from '../lists';

// Which of the two paths of an endpoint has worked last, until the process ends. Without it, a request may
// be sent to both. An `account` is a service together with the values of a credential.

const MAX_PATHS = 300;

const workingPaths = new Map<string, string>();

/** `undefined` if no request to the endpoint has succeeded yet. */
export function workingPathOf(account: string, endpoint: string): string | undefined {
	return workingPaths.get(`${endpoint} ${account}`);
}

export function rememberWorkingPath(account: string, endpoint: string, path: string): void {
	keepLatest(workingPaths, `${endpoint} ${account}`, path, MAX_PATHS);
}
