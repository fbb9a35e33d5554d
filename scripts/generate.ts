// `npm run generate` writes all generated files but the examples; `--check` only compares them. The contract comes
// first: the others read what it writes.
async function main(): Promise<void> {
	await (await import('./generateContract.js')).generate();
	await (await import('./generateTables.js')).generate();
	await (await import('./generateDocs.js')).generate();
	await (await import('./generateExamples.js')).generate();
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exit(1);
});
