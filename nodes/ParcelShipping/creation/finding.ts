import type { Order } from './order';
import type { Piece } from './piece';

/**
 * What is known about one order, or about several that can't be told apart: pieces that exist, or
 * what went wrong. An order can have both, when one of its pieces was refused.
 */
export type Finding =
	| { orders: Order[]; pieces: Piece[]; isUnmatched?: true }
	| { orders: Order[]; failure: unknown };
