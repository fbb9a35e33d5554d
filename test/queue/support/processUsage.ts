import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import type { N8n } from '../../../scripts/demo/n8n';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time that the process has used. Other processes do not count. */
export function cpuMs({ pid }: N8n): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The program's name may contain spaces. It ends with a bracket.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

export function memoryMb({ pid }: N8n): number {
	const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}
