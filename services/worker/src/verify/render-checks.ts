import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'

/** A short table, then the first differences of each check that found any. */
export function renderChecks(checks: readonly LedgerCheck[], facts: Readonly<Record<string, number>>): string {
  const width = Math.max(...checks.map(({ check }) => check.length))
  const table = checks.map(({ check, compared, differences }) => {
    const verdict = differences === 0 ? 'ok' : `${differences} DIFFERENT`
    return `${check.padEnd(width)}  ${String(compared).padStart(9)}  ${verdict}`
  })
  const summary = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return [...table, '', summary.join(', '), ...checks.flatMap(renderDetails), ''].join('\n')
}

function renderDetails({ check, differences, first }: LedgerCheck): string[] {
  if (differences === 0) return []
  const rest = differences - first.length
  return ['', `${check}:`, ...first.map((line) => `  ${line}`), ...(rest > 0 ? [`  … and ${rest} more`] : [])]
}
