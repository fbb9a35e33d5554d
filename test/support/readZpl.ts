export interface ZplCommand {
	name: string;
	parameters: string;
}

/** Splits ZPL like a printer: every ^ and ~ starts a command. */
export function readZplCommands(zpl: string): ZplCommand[] {
	return zpl
		.split(/(?=[\^~])/)
		.filter((part) => part.trim() !== '')
		.map((part) => {
			const length = part.startsWith('^A') ? 2 : 3;
			return { name: part.slice(0, length), parameters: part.slice(length).trimEnd() };
		});
}

/** Returns the field data. Decodes the hexadecimal escapes of ^FH_ as UTF-8 bytes. */
export function readZplFields(commands: ZplCommand[]): string[] {
	return commands.flatMap(({ name, parameters }, index) => {
		if (name !== '^FD') return [];
		const hasEscapes = commands[index - 1]?.name === '^FH';
		return hasEscapes ? decodeURIComponent(toPercentEscapes(parameters)) : parameters;
	});
}

function toPercentEscapes(data: string): string {
	return data.replaceAll('%', '%25').replace(/_([0-9A-F]{2})/g, '%$1');
}
