import type { IDataObject } from 'n8n-workflow';

import { ParcelShippingApi } from '../../credentials/ParcelShippingApi.credentials';

const url = 'https://api.example.com/api/Carrier/Find';

test.each([
	['shop@example.com', 'parcels', 'c2hvcEBleGFtcGxlLmNvbTpwYXJjZWxz'],
	// In UTF-8, as browsers send it.
	['obchod', 'žluť€', 'b2JjaG9kOsW+bHXFpeKCrA=='],
])('User and Password "%s" and "%s" are sent as %s', async (username, password, expected) => {
	const credential = { baseUrl: 'https://api.example.com/api', authentication: 'basic' };
	const { authenticate } = new ParcelShippingApi();
	if (typeof authenticate !== 'function') throw new Error('not a function');
	const { headers } = await authenticate({ ...credential, username, password }, { url });
	expect((headers as IDataObject).Authorization).toBe(`Basic ${expected}`);
});
