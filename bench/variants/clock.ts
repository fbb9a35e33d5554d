import axios from 'axios';

const realNow = Date.now.bind(Date);
let offsetMs = 0;

/** Moves the clock of this process and that of the sandbox forward, so that hours of polls take seconds. */
export async function advanceClocks(url: string, minutes: number): Promise<void> {
	offsetMs += minutes * 60_000;
	Date.now = () => realNow() + offsetMs;
	await axios.post(new URL('/sandbox/advance', url).href, { hours: minutes / 60 });
}
