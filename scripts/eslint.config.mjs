// For bench/, sandbox/, scripts/ and test/. The published code (nodes/, credentials/, package.json) is
// linted with n8n's own configuration in the root's eslint.config.mjs, which strict mode keeps as it is.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ files: ['**/*.ts'], extends: [js.configs.recommended, tseslint.configs.recommended] },
	{
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { projectService: true } },
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/await-thenable': 'error',
		},
	},
);
