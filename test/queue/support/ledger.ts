// What n8n knows at the end: its executions, and the rows of the table that the workflow keeps.
import type { N8nRest } from '../../../scripts/demo/rest';

export interface ExecutionRow {
	id: string;
	status: string;
	mode: string;
	retryOf: string | null;
	retrySuccessId: string | null;
}

export interface OrderRow {
	orderNumber: string;
	state: 'open' | 'shipped' | 'refused';
	shipment: string | null;
	reason: string | null;
	execution: string | null;
}

const PAGE = 100;
const UNFINISHED = ['new', 'running', 'waiting'];

export async function listExecutions(n8n: N8nRest, workflowId: string): Promise<ExecutionRow[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	// A page may begin with what runs at the moment, whatever page it is.
	const rows = new Map<string, ExecutionRow>();
	let cursor: string | null | undefined;
	do {
		const page = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
		const { results, nextCursor } = await n8n.request<{
			results: ExecutionRow[];
			nextCursor: string | null;
		}>('GET', `/executions?filter=${filter}&limit=${PAGE}${page}`);
		for (const row of results) rows.set(row.id, row);
		cursor = nextCursor;
	} while (cursor);
	return [...rows.values()];
}

export const isUnfinished = ({ status }: ExecutionRow) => UNFINISHED.includes(status);

/** Neither finished nor retried with success. */
export const isFailed = ({ status, retrySuccessId }: ExecutionRow) =>
	['error', 'crashed'].includes(status) && !retrySuccessId;

/** As the button *Retry* in the list of executions does. */
export async function retry(n8n: N8nRest, { id }: ExecutionRow): Promise<ExecutionRow> {
	return await n8n.request<ExecutionRow>('POST', `/executions/${id}/retry`, {
		loadWorkflow: false,
	});
}

export async function readOrderRows(n8n: N8nRest): Promise<OrderRow[]> {
	type Rows<Row> = { data: Row[] };
	const filter = encodeURIComponent(JSON.stringify({ name: 'Orders' }));
	const tables = await n8n.request<Rows<{ id: string; projectId: string }>>(
		'GET',
		`/data-tables-global?filter=${filter}`,
	);
	const [table] = tables.data;
	const address = `/projects/${table?.projectId}/data-tables/${table?.id}/rows`;
	const rows: OrderRow[] = [];
	for (;;) {
		const page = `${address}?take=${PAGE}&skip=${rows.length}&sortBy=id:asc`;
		const { data } = await n8n.request<Rows<OrderRow>>('GET', page);
		rows.push(...data);
		if (data.length < PAGE) return rows;
	}
}
