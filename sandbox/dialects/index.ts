import type { Dialect, DialectName } from './dialect';
import { documentedDialect } from './documented';
import { interfaceDialect } from './interface';

export type { Dialect } from './dialect';

export const dialects: Record<DialectName, Dialect> = {
	interface: interfaceDialect,
	documented: documentedDialect,
};
