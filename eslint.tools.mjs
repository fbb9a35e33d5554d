// For everything that is not shipped to n8n. What is shipped (nodes/, credentials/, package.json) is
// checked by n8n's own strict configuration in eslint.config.mjs, which may not be changed.
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
