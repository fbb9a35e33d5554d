export { default } from '../eslint.tools.mjs';
