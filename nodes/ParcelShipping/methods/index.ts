import type { INodeType } from 'n8n-workflow';

type Methods = NonNullable<INodeType['methods']>;

export const listSearch: NonNullable<Methods['listSearch']> = {};

export const loadOptions: NonNullable<Methods['loadOptions']> = {};

export const resourceMapping: NonNullable<Methods['resourceMapping']> = {};
