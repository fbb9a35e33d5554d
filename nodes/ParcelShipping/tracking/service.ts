import type { ShipmentDetail, ShipmentRecord, TrackingResult } from '../transport/contract';
import type { Page } from '../transport/paging';

/** What tracking asks of the service; whoever calls passes it in. */
export interface TrackingService {
	findPage(
		body: { createdFrom?: string; start: number; length: number },
		timeoutMs: number,
	): Promise<Page<ShipmentRecord>>;
	readDetail(carrier: string, id: number, timeoutMs: number): Promise<ShipmentDetail[]>;
	track(carrier: string, numbers: string[], timeoutMs: number): Promise<TrackingResult[]>;
}
