// Writes the names that Windows has for time zones with their IANA names, from the Unicode CLDR.
import windowsZones from 'cldr-core/supplemental/windowsZones.json';
import { IANAZone } from 'luxon';
import path from 'node:path';

import { writeFormatted } from './writeFormatted';

const output = path.join(__dirname, '../nodes/ParcelShipping/tracking/windowsZones.generated.ts');

/** The territory under which the CLDR has the usual zone of each name. */
const ANYWHERE = '001';

const zones = windowsZones.supplemental.windowsZones.mapTimezones
	.map(({ mapZone }) => mapZone)
	.filter(({ _territory }) => _territory === ANYWHERE)
	.map(({ _other, _type }): [string, string] => [_other, _type]);

export async function generate(): Promise<void> {
	const unknown = zones.filter(([, zone]) => !IANAZone.isValidZone(zone));
	if (unknown.length > 0) throw new Error(`Node.js does not know ${JSON.stringify(unknown)}`);
	const text = `// Generated from the windowsZones table of cldr-core by scripts/generateTimezones.ts. Do not edit.

/** The IANA name of each time zone that Windows has a name for. */
export const windowsZones: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(zones))};
`;
	await writeFormatted(output, text);
}
