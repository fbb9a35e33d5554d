import type { Defect } from '../defect';
import { changesDefects } from './changes';
import { creationDefects } from './creation';
import { nodeDefects } from './nodes';
import { orderDefects } from './orders';
import { trackingDefects } from './tracking';
import { transportDefects } from './transport';

export const allDefects: readonly Defect[] = [
	...orderDefects,
	...creationDefects,
	...changesDefects,
	...nodeDefects,
	...transportDefects,
	...trackingDefects,
];
