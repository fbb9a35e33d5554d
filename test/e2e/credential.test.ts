import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { sandboxCredential } from '../support/credentials';
import { useSetup } from './support/e2eSetup';

const setup = useSetup();

/** Creates a credential with this data and runs its test. */
async function testCredential(data: Partial<ParcelShippingCredential>) {
	const credential = { name: 'Under test', type: 'parcelShippingApi', data };
	return await setup.n8n.testCredential((await setup.n8n.createCredential(credential)).id);
}

test.each<[ParcelShippingCredential['authentication'], Partial<ParcelShippingCredential>]>([
	['header', { headerValue: 'wr0ng!' }],
	['bearer', { token: 'wr0ng!' }],
	['basic', { password: 'wr0ng!' }],
	['query', { queryValue: 'wr0ng!' }],
	['signIn', { password: 'wr0ng!' }],
])(
	'With %s, the credential test accepts the right secret, and refuses a wrong one without showing it',
	async (authentication, wrong) => {
		const right = sandboxCredential(setup.sandbox.url, authentication);
		const accepted = { status: 'OK', message: 'Connection successful!' };
		expect(await testCredential(right)).toEqual(accepted);
		const refused = await testCredential({ ...right, ...wrong });
		expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/refused/) });
		expect(JSON.stringify(refused)).not.toContain('wr0ng!');
	},
);

const CHECK_PATH = "Check that 'Base URL' ends with the provider's API path";

test.each([
	[
		'a web page responds',
		() => setup.sandbox.url,
		`not from a parcel shipping provider. ${CHECK_PATH}`,
	],
	['the API path is missing', () => setup.sandbox.home, `at this address. ${CHECK_PATH}`],
	['it is not encrypted', () => 'http://api.example.com/api', 'must start with https://'],
])('The credential test refuses a Base URL if %s', async (_, baseUrl, message) => {
	setup.sandbox.fault({ operation: '*', kind: 'html' });
	expect(await testCredential(sandboxCredential(baseUrl()))).toEqual({
		status: 'Error',
		message: expect.stringContaining(message),
	});
});
