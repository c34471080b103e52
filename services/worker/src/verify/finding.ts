/** What one check looked at and what it found. */
export type Finding = {
  readonly check: string
  /** How many rows, accounts or events it looked at. */
  readonly looked: number
  /** One line per difference, with ids. */
  readonly differences: readonly string[]
}

/** A short table, then the first differences of each check that found any. */
export function renderFindings(findings: readonly Finding[], facts: Readonly<Record<string, number>>): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const table = findings.map(({ check, looked, differences }) => {
    const verdict = differences.length === 0 ? 'ok' : `${differences.length} DIFFERENT`
    return `${check.padEnd(width)}  ${String(looked).padStart(9)}  ${verdict}`
  })
  const told = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  const details = findings.flatMap(({ check, differences }) =>
    differences.length === 0
      ? []
      : ['', `${check}:`, ...differences.slice(0, SHOWN).map((line) => `  ${line}`), ...restOf(differences.length)],
  )
  return [...table, '', told.join(', '), ...details, ''].join('\n')
}

const SHOWN = 5
const restOf = (count: number): string[] => (count > SHOWN ? [`  … and ${count - SHOWN} more`] : [])
