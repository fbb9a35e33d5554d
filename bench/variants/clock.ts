const MINUTE_MS = 60_000;
const realNow = Date.now.bind(Date);
let offsetMs = 0;

/** Moves the clock of this process and that of the sandbox forward, so that hours of polls take seconds. */
export async function advanceClocks(url: string, minutes: number): Promise<void> {
	offsetMs += minutes * MINUTE_MS;
	Date.now = () => realNow() + offsetMs;
	const response = await fetch(new URL('/sandbox/advance', url), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ hours: minutes / 60 }),
	});
	if (!response.ok) throw new Error(`The sandbox's clock did not advance: ${response.status}`);
}

export function restoreClock(): void {
	offsetMs = 0;
	Date.now = realNow;
}
