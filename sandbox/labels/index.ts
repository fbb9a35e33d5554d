export type { Address, Label } from './label';
export { type LabelLayout, renderLabelsPdf } from './pdf';
export { renderLabelsZpl } from './zpl';
