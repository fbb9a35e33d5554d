/** A request the service refuses as a whole. */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly errors: string[] = [],
	) {
		super(message);
	}
}
