import type { FuzzReport } from './fuzz.ts'

export function renderReport({ seed, from, parts, findings }: FuzzReport): string {
  const lines: string[] = []
  for (const { name, calls, seconds, outcomes, audit, memory } of parts) {
    lines.push(
      `\n${name}: seed ${seed}, ${calls} calls from number ${from} in ${seconds.toFixed(0)} s (${(calls / seconds).toFixed(0)}/s); ${audit.rows} log rows, ${audit.charged} quota charged`,
    )
    for (const [group, counts] of [...outcomes].toSorted(([one], [other]) => one.localeCompare(other))) {
      const shown = [...counts].toSorted(([, one], [, other]) => other - one).map(([status, times]) => `${status} × ${times}`)
      lines.push(`  ${group.padEnd(20)} ${shown.slice(0, 14).join(', ')}`)
    }
    for (const { name: process, start_mb, peak_mb, end_mb } of memory)
      lines.push(`  ${process}: ${start_mb} MB at the start, ${peak_mb} MB at most, ${end_mb} MB at the end`)
    const { receipts, export_bytes, export_ms } = audit.documents
    lines.push(`  ${receipts} receipts, a FOCUS export of ${export_bytes} bytes in ${export_ms} ms`)
    lines.push(audit.verification.trimEnd())
  }
  lines.push('', findings.length === 0 ? 'no violations' : `${findings.length} kinds of violations`)
  for (const { text, part, number, repro, count } of findings) {
    lines.push(`\n[${part}${number === undefined ? '' : ` ${number}`}] × ${count}: ${text}`)
    if (repro !== undefined && repro !== '') lines.push(`  ${repro}`)
  }
  return `${lines.join('\n')}\n`
}
