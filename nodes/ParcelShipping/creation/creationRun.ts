import type { IExecuteFunctions } from 'n8n-workflow';

import type { CreationOptions } from '../orders/order';
import type { Client } from '../transport/client';
import type { ShipmentRecords } from '../transport/shipments';
import type { OrderNotes } from './notes';

/** What the stations of a creation share. */
export interface CreationRun {
	context: IExecuteFunctions;
	client: Client;
	records: ShipmentRecords;
	notes: OrderNotes;
	options: CreationOptions;
}
