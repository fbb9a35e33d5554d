import { readState } from './stateText';
import type { WatchState } from './state';

/** n8n saves what a poll emits a moment after the poll has ended. */
const SAVING_TAKES_MS = 30_000;

/** How long something that goes on being so is not said again. */
const SAID_FOR_MS = 3_600_000;

interface Remembered {
	isBusy: boolean;
	/** The state after the last poll; quiet if that found nothing, so that n8n may not have saved it. */
	last?: { text: string; savedAt: number; nodeName: string; isQuiet: boolean };
	/** `savedAt` of the last state that went along with events. */
	emittedAt?: number;
	said?: { text: string; at: number };
}

/**
 * What this process remembers of its trigger nodes. All of it may be gone at any time: it spares
 * questions, and keeps apart polls that overlap.
 */
export class ProcessMemory {
	private readonly nodes = new Map<string, Remembered>();

	/** Whether this poll may run; n8n starts the next one although one is still running. */
	enter(key: string): boolean {
		const node = this.of(key);
		if (node.isBusy) return false;
		node.isBusy = true;
		return true;
	}

	leave(key: string): void {
		this.of(key).isBusy = false;
	}

	/**
	 * The latest state: the saved one, or the one of a later poll that found nothing and so was not
	 * saved (n8n's default mode; in its durable mode the very first one). A node that was renamed has
	 * lost what was saved under its old name.
	 */
	latest(key: string, saved: WatchState | undefined, nodeName: string): WatchState | undefined {
		const { last } = this.of(key);
		if (!last || (saved && saved.savedAt >= last.savedAt)) return saved;
		const isAhead = last.isQuiet || this.isRenamed(key, saved, nodeName);
		return (isAhead ? readState(last.text) : undefined) ?? saved;
	}

	/**
	 * Whether events have been emitted that the saved state doesn't know of yet. A poll that goes by
	 * that state would emit them again. If it stays so for long, n8n has thrown them away, and they
	 * are to be emitted again. Under a new name of the node it would stay so for ever.
	 */
	isBeingSaved(
		key: string,
		saved: WatchState | undefined,
		nodeName: string,
		nowMs: number,
	): boolean {
		const { emittedAt } = this.of(key);
		if (emittedAt === undefined || (saved?.savedAt ?? 0) >= emittedAt) return false;
		if (this.isRenamed(key, saved, nodeName)) return false;
		return nowMs - emittedAt < SAVING_TAKES_MS;
	}

	keepQuiet(key: string, nodeName: string, text: string, savedAt: number): void {
		this.of(key).last = { text, savedAt, nodeName, isQuiet: true };
	}

	keepEmitted(key: string, nodeName: string, text: string, savedAt: number): void {
		const node = this.of(key);
		node.last = { text, savedAt, nodeName, isQuiet: false };
		node.emittedAt = savedAt;
	}

	/** Whether this is news for the log. */
	isWorthSaying(key: string, text: string, nowMs: number): boolean {
		const node = this.of(key);
		if (node.said?.text === text && nowMs - node.said.at < SAID_FOR_MS) return false;
		node.said = { text, at: nowMs };
		return true;
	}

	private isRenamed(key: string, saved: WatchState | undefined, nodeName: string): boolean {
		const { last } = this.of(key);
		return saved === undefined && last !== undefined && last.nodeName !== nodeName;
	}

	private of(key: string): Remembered {
		const node = this.nodes.get(key) ?? { isBusy: false };
		this.nodes.set(key, node);
		return node;
	}
}
