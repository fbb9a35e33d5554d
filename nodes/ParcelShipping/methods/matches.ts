/** Whether one of the texts contains what was typed, whatever its case and diacritics. */
export function matches(typed: string | undefined, ...texts: string[]): boolean {
	const wanted = fold(typed ?? '');
	return texts.some((text) => fold(text).includes(wanted));
}

function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
