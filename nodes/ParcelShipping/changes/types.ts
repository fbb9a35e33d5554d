/** What items name: a shipment with its pieces, or one piece by its ID or tracking number. Plain JSON. */
export interface CancelTarget {
	/** How the items name it. */
	name: string;
	items: number[];
	carrierCode: string;
	/** Absent for a tracking number. */
	id?: number;
	/** Its order number, '' if it is not known. */
	reference: string;
	/** Of the main piece, for the output. */
	number: string;
	/** The active ones. The number is '' as long as the carrier has not assigned one. */
	pieces: Array<{ id?: number; number: string }>;
}

export interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

/** What the responses have said of a tracking number. Not sent: its request certainly had no effect. */
export interface NumberAnswer {
	state: 'canceled' | 'refused' | 'notSent' | 'unclear';
	said: string | undefined;
	correlationId: string | null;
	/** Of the request with it. */
	error: unknown;
}

export type Answers = ReadonlyMap<string, NumberAnswer>;
