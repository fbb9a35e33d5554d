import { type Job, ratio } from '../job';
import { printLabels as ways } from './labels';

const SERVICES = ['ANT-HOME', 'BEAVER-PARCEL', 'CRANE-EU'];

/** What a label of text and a barcode takes in a PDF. */
const BYTES_PER_LABEL = 10_000;

export const printLabels: Job = {
	name: 'print',
	title: (size) => `Print ${size.toLocaleString('en')} labels of 3 carriers into files`,
	size: 1_000,
	quickSize: 100,
	figures: ['wallMs', 'requests', 'files'],
	expected: () => SERVICES.length,
	// Files of the right size instead of drawn ones: drawing would take most of the time, in the
	// sandbox, and hide the difference.
	seeding: (size) => ({
		shipments: size,
		services: SERVICES,
		labelFileBytes: Math.round(size / SERVICES.length) * BYTES_PER_LABEL,
	}),
	goals: [
		{
			says: "Printing takes at most 1.15 times the bare client's time",
			value: ratio('wallMs', 'node', 'bare'),
			atMost: 1.15,
		},
	],
	ways,
};
