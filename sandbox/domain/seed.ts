import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ShipmentCreation } from '../../contract/types.generated';

export type LabelFormat = 'pdf' | 'zpl';
export type LabelLayout = 'onePerPage' | 'fourPerPage';

export interface SignInSettings {
	path: string;
	/** A dot-separated path: `data.token`. */
	tokenField: string;
	headerName: string;
	/** Additional fields that the request must contain. */
	requiredFields?: string[];
	username: string;
	password: string;
}

export interface Credentials {
	header: { name: string; value: string };
	bearer: { token: string };
	basic: { username: string; password: string };
	query: { name: string; value: string };
	signIn: SignInSettings;
}

export interface SeedService {
	code: string;
	name: string;
	senderAddress?: boolean;
	coverAddress?: boolean;
	alwaysCod?: boolean;
	countries?: string[];
	addons?: Record<string, string>;
	branches?: SeedBranch[];
	boxes?: number;
}

export interface SeedBranch {
	id: string;
	name: string;
	street: string;
	city: string;
	zip: string;
	country: string;
	hours: string;
	isBox?: true;
}

export interface TrackingBehavior {
	/** Events become visible this many hours after their date. */
	lateHours?: number;
	ends?: 'delivered' | 'canceled';
	shuffled?: boolean;
	repeated?: boolean;
	empty?: boolean;
}

export interface SeedCarrier {
	code: string;
	name: string;
	description: string;
	activated: string | null;
	formats: LabelFormat[];
	defaultLayout: LabelLayout;
	onePieceOnly?: boolean;
	/** In the documented dialect, it reads piecesCount instead of pieceCount. */
	readsPiecesCount?: boolean;
	needs?: Array<keyof ShipmentCreation>;
	/** lateMinutes: how long the documented dialect has no number for a new shipment. */
	numbers: { prefix: string; digits: number; lateMinutes?: number };
	tracking?: TrackingBehavior;
	services: SeedService[];
}

export interface SeedStep {
	after: number;
	category: string;
	code: string;
	name: string;
	nameSystem: string;
	carrierCode?: string | null;
}

export interface Seed {
	credentials: Credentials;
	account: { timeZone: string };
	carriers: SeedCarrier[];
	/** `displayName` is what people call it. Only `name`, the name of the system, prints. */
	printers: Array<{
		name: string;
		displayName: string;
		state: 'online' | 'unreachable' | 'refusing';
	}>;
	orders: Array<{ id: number; number: string }>;
	tracking: {
		steps: SeedStep[];
		arrival: SeedStep;
		ends: Record<'delivered' | 'canceled', SeedStep>;
		canceledByAccount: SeedStep;
	};
}

let known: Seed | undefined;

/** Read once. Do not change it. */
export function readSeed(): Seed {
	return (known ??= readFile());
}

function readFile(): Seed {
	const seed = parse(readFileSync(join(__dirname, '../seed.yaml'), 'utf8')) as Seed;
	for (const service of seed.carriers.flatMap(({ services }) => services)) {
		const boxes = Array.from({ length: service.boxes ?? 0 }, (_, index) => pickupBox(index + 1));
		service.branches?.push(...boxes);
	}
	return seed;
}

function pickupBox(number: number): SeedBranch {
	const id = `B-${String(number).padStart(4, '0')}`;
	const address = { street: `Tovární ${number}`, city: 'Olomouc', zip: '77900', country: 'CZ' };
	return { id, name: `Pickup box ${number}`, ...address, hours: '00:00 - 24:00', isBox: true };
}
