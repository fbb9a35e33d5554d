// oxlint lints this folder. n8n's rules are for what is published.
export default [{ ignores: ['**'] }];
