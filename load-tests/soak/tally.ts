import { ConsoleError } from './console.ts'

/** Actions of the load that are counted by name. */
export type Tally = {
  readonly counts: Map<string, number>
  /** Actions answered with 503 because a store was slow. */
  late: number
  readonly problems: string[]
}

export const createTally = (): Tally => ({ counts: new Map(), late: 0, problems: [] })

/** Counts an action under `name` and notes what it threw. */
export async function attempt<T>(tally: Tally, name: string, action: () => Promise<T>): Promise<T | undefined> {
  tally.counts.set(name, (tally.counts.get(name) ?? 0) + 1)
  try {
    return await action()
  } catch (error) {
    if (error instanceof ConsoleError && error.isOutage) tally.late += 1
    else tally.problems.push(`${name}: ${String(error)}`)
    return undefined
  }
}
