import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { readSeed } from '../../sandbox';

/** Returns a valid credential for the sandbox, for each authentication method. */
export function sandboxCredential(
	baseUrl: string,
	authentication: ParcelShippingCredential['authentication'] = 'header',
): ParcelShippingCredential {
	const { header, bearer, basic, query, signIn } = readSeed().credentials;
	const forms = {
		header: { headerName: header.name, headerValue: header.value },
		bearer: { token: bearer.token },
		basic: { username: basic.username, password: basic.password },
		query: { queryName: query.name, queryValue: query.value },
		signIn: {
			...{ username: signIn.username, password: signIn.password, signInPath: signIn.path },
			...{ tokenHeaderName: signIn.headerName, sessionToken: '' },
		},
	};
	return { baseUrl, authentication, ...forms[authentication] };
}

let accounts = 0;

/** Another credential for the same service: the nodes remember what the carriers of each offer. */
export function newAccount(baseUrl: string): ParcelShippingCredential {
	accounts++;
	return { ...sandboxCredential(baseUrl), allowedDomains: `account-${accounts}.example` };
}
