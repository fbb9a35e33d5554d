import FakeTimers from '@sinonjs/fake-timers';

const realTurn = setImmediate;

/**
 * Virtual time: nothing waits, and what happens first is decided by the timers alone. Install it
 * after everything that reads the clock while it loads.
 */
export class VirtualTime {
	private readonly clock = FakeTimers.install({
		now: 0,
		// `performance` too, or a busy machine would decide when the node lets others go on.
		toFake: [
			...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
			...(['Date', 'performance'] as const),
		],
	});

	/** Begins another history: nothing of the one before happens any more. */
	begin(nowMs: number): void {
		this.clock.reset();
		this.clock.setSystemTime(nowMs);
	}

	/**
	 * Lets everything happen until `work` is over. Throws if it still waits for something that never
	 * comes, or after `limitMs`.
	 */
	async run(work: Promise<unknown>, limitMs: number): Promise<void> {
		const endMs = this.clock.now + limitMs;
		let isOver = false;
		const end = () => (isOver = true);
		work.then(end, end);
		for (;;) {
			await new Promise<void>((resolve) => realTurn(resolve));
			if (isOver) break;
			if (this.clock.countTimers() === 0) throw new Error('waits for something that never comes');
			if (this.clock.now > endMs) throw new Error(`is not over after ${limitMs / 60_000} minutes`);
			this.clock.next();
		}
		await work;
	}
}

export async function waitMs(ms: number): Promise<void> {
	await new Promise<void>((resolve) => setTimeout(resolve, ms));
}

/** Random numbers of a seed (mulberry32): the same ones in each process. */
export function randomOf(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
