import type { LedgerCheck } from '@tollgate/contracts/resources/ledger'

/** One check while it runs. Keeps the first differences only: a ledger in ruins must fit into memory too. */
export class Tally {
  readonly #check: string
  readonly #first: string[] = []
  #looked = 0
  #differences = 0

  constructor(check: string) {
    this.#check = check
  }

  look(count = 1): void {
    this.#looked += count
  }

  /** `more`: differences beyond those that are told line by line. */
  differ(lines: readonly string[], more = 0): void {
    this.#differences += lines.length + more
    this.#first.push(...lines.slice(0, Math.max(0, KEPT - this.#first.length)))
  }

  result(): LedgerCheck {
    return { check: this.#check, looked: this.#looked, differences: this.#differences, first: [...this.#first] }
  }
}

const KEPT = 10

/** A short table, then the first differences of each check that found any. */
export function renderChecks(checks: readonly LedgerCheck[], facts: Readonly<Record<string, number>>): string {
  const width = Math.max(...checks.map(({ check }) => check.length))
  const table = checks.map(({ check, looked, differences }) => {
    const verdict = differences === 0 ? 'ok' : `${differences} DIFFERENT`
    return `${check.padEnd(width)}  ${String(looked).padStart(9)}  ${verdict}`
  })
  const told = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return [...table, '', told.join(', '), ...checks.flatMap(renderDetails), ''].join('\n')
}

function renderDetails({ check, differences, first }: LedgerCheck): string[] {
  if (differences === 0) return []
  const rest = differences - first.length
  return ['', `${check}:`, ...first.map((line) => `  ${line}`), ...(rest > 0 ? [`  … and ${rest} more`] : [])]
}
