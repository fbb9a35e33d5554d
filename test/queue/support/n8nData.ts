// Reads n8n's executions and the rows of the data table that the workflow writes.
import type { N8nRest } from '../../../scripts/demo/rest';
import type { Postgres } from './databases';

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

/**
 * Reads the database, because n8n's list of executions can skip some between two pages: it sorts by
 * start time and continues by id.
 */
export async function readExecutionRows(
	database: Postgres,
	workflowId: string,
): Promise<ExecutionRow[]> {
	return await database.rows(
		`SELECT id::text, status, mode, "retryOf", "retrySuccessId"
		FROM execution_entity WHERE "workflowId" = '${workflowId}' ORDER BY execution_entity.id`,
	);
}

export const isUnfinished = ({ status }: ExecutionRow) => UNFINISHED.includes(status);

/** Failed, and not retried with success. */
export const isFailed = ({ status, retrySuccessId }: ExecutionRow) =>
	['error', 'crashed'].includes(status) && !retrySuccessId;

/** Does the same as the button *Retry* in the list of executions. */
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
	const path = `/projects/${table?.projectId}/data-tables/${table?.id}/rows`;
	const rows: OrderRow[] = [];
	for (;;) {
		const page = `${path}?take=${PAGE}&skip=${rows.length}&sortBy=id:asc`;
		const { data } = await n8n.request<Rows<OrderRow>>('GET', page);
		rows.push(...data);
		if (data.length < PAGE) return rows;
	}
}
