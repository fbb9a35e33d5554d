import path from 'node:path';

import ts from 'typescript';

import { root } from '../support/projectFiles';
import { type Defect, plant } from './defect';

/** Names that do not exist, also with a suggestion and in shorthand properties, and those that have no value yet. */
const UNKNOWN_NAME = new Set([2304, 2552, 18004, 2339, 2448, 2454]);

/**
 * Defects that use a name that does not exist. Each test of that line would notice the error, whatever it tests, so that
 * nothing is proved.
 */
export function withUnknownNames(defects: readonly Defect[]): string[] {
	const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile) as {
		config: object;
	};
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const fileOf = (defect: Defect) => path.join(root, defect.file);
	let planted: Defect | undefined;
	const isChanged = (file: string) => planted !== undefined && file === fileOf(planted);
	const service = ts.createLanguageService({
		...ts.sys,
		useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
		getCompilationSettings: () => options,
		getCurrentDirectory: () => root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
		getScriptFileNames: () => [...new Set(defects.map(fileOf))],
		getScriptVersion: (file) => (isChanged(file) ? JSON.stringify(planted) : ''),
		getScriptSnapshot: (file) => {
			const code = ts.sys.readFile(file);
			if (code === undefined) return undefined;
			return ts.ScriptSnapshot.fromString(planted && isChanged(file) ? plant(code, planted) : code);
		},
	});
	return defects.flatMap((defect) => {
		planted = defect;
		return (
			service
				.getSemanticDiagnostics(fileOf(defect))
				.filter(({ code }) => UNKNOWN_NAME.has(code))
				.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
				// Code that the defect makes unreachable.
				.filter((text) => !text.endsWith("on type 'never'."))
				.map((text) => `${defect.file} has an unknown name without this: ${defect.find} (${text})`)
		);
	});
}
