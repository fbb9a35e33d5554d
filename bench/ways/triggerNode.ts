import type { INode } from 'n8n-workflow';

import { PACKAGE } from '../../test/support/host';

export const triggerNode: INode = {
	id: 'trigger',
	name: 'Parcel Shipping Trigger',
	type: `${PACKAGE}.parcelShippingTrigger`,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { parcelShippingApi: { id: '1', name: 'Sandbox' } },
};
