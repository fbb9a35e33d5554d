import {
	labelFileName,
	requestLabels,
	shipmentFileName,
} from '../../../nodes/ParcelShipping/labels/files';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';

test('without any label, the error names the shipments or the reason of the service', async () => {
	const requestWith = async (response: object) => {
		const { client } = clientOf(() => responseOf(200, { correlationId: 'c-1', ...response }));
		return await requestLabels(client, [1, 2], { format: 'pdf' }).catch(describeError);
	};
	const message = 'The service created no label for shipments 1, 2';
	const details = { shipmentIds: [1, 2], correlationId: 'c-1' };
	expect(await requestWith({ result: [] })).toMatchObject({ message, details });
	const withReason = await requestWith({ result: [], errors: ['Canceled'] });
	expect(withReason).toMatchObject({
		message: 'The service created no label: Canceled',
		details: { serviceMessage: 'Canceled', correlationId: 'c-1' },
	});
});

test.each([
	['ANT', 3, '0a1b2c3d4e5f', 'labels-ANT-2026-11-20-3-0a1b2c3d.pdf'],
	['../a b/č', 1, null, 'labels--a-b--2026-11-20-1.pdf'],
])('the label file of %s has no special characters in its name', (...given) => {
	const [carrierCode, labelsCount, hash, name] = given;
	expect(labelFileName({ carrierCode, labelsCount, hash }, '2026-11-20', 'pdf')).toBe(name);
});

test('label files without a shipment number do not overwrite each other in a folder', () => {
	const names = [7, 8].map((id) => shipmentFileName({ carrierCode: 'ANT', id }));
	expect(names).toEqual(['label-ANT-7.pdf', 'label-ANT-8.pdf']);
	expect(shipmentFileName({ carrierCode: 'ANT', packageNumberCarrier: '0012', id: 7 })).toBe(
		'label-ANT-0012.pdf',
	);
});
