import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';

import type { ICredentialType, INodeType, INodeTypes } from 'n8n-workflow';

import { manualTrigger, PACKAGE } from '../support/host';

/** One n8n process: a copy of the built package with memories of its own. */
export interface Worker {
	name: string;
	nodeTypes: INodeTypes;
	trigger: INodeType;
	credentialType: ICredentialType;
	/** What this process has sent is never answered once it is gone. */
	isGone: boolean;
	/** End the runs of a process that is killed. */
	endRuns: Array<() => void>;
}

type Module = (exports: object, require: (id: string) => unknown, module: object) => void;

/** Compiled once, and run again for each worker. */
const compiled = new Map<string, Module>();

/** Packages of n8n, which all workers share. */
const requirePackage = createRequire(__filename);

export function startWorker(name: string, folder: string): Worker {
	const loaded = new Map<string, { exports: Record<string, unknown> }>();
	const load = (file: string): Record<string, unknown> => {
		const known = loaded.get(file);
		if (known) return known.exports;
		const module = { exports: {} };
		loaded.set(file, module);
		if (!compiled.has(file)) {
			const code = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`;
			compiled.set(file, new Script(code, { filename: file }).runInThisContext() as Module);
		}
		compiled.get(file)?.(
			module.exports,
			(id) => (id.startsWith('.') ? load(path.join(path.dirname(file), id)) : requirePackage(id)),
			module,
		);
		return module.exports;
	};
	const newOf = <Type>(file: string): Type => {
		const exported = load(path.join(folder, 'dist', `${file}.js`));
		return new (exported[path.basename(file).replace(/\..*/, '')] as new () => Type)();
	};
	const node = newOf<INodeType>('nodes/ParcelShipping/ParcelShipping.node');
	const trigger = newOf<INodeType>('nodes/ParcelShipping/ParcelShippingTrigger.node');
	const types: Record<string, INodeType> = {
		'n8n-nodes-base.manualTrigger': manualTrigger,
		[`${PACKAGE}.parcelShipping`]: node,
		[`${PACKAGE}.parcelShippingTrigger`]: trigger,
	};
	const getByName = (type: string) => types[type] as INodeType;
	return {
		name,
		nodeTypes: { getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) },
		trigger,
		credentialType: newOf('credentials/ParcelShippingApi.credentials'),
		isGone: false,
		endRuns: [],
	};
}
