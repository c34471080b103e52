import type { ConsoleUser } from '../console.ts'

/** Load beside model requests and console pages: one action after the other, with a pause after each. */
export type Part = {
  readonly name: string
  /** Description of an action and of the checks of its result, for the page. */
  readonly about: string
  readonly pauseMs: number
  /** Throws if a response is not as expected. */
  act(sessions: Sessions): Promise<void>
  /** After a load: resolves when everything that was begun has ended, and throws if it does not end as expected. */
  settle?(): Promise<void>
  close?(): Promise<void>
}

/** Console sessions of one load. */
export type Sessions = { readonly root: ConsoleUser; readonly user: ConsoleUser }

const POLL_MS = 500
const SETTLE_MS = 90_000

/** Waits until `left` is 0; throws after 90 s. */
export async function waitUntilNone(left: () => number | Promise<number>, what: string): Promise<void> {
  const deadline = performance.now() + SETTLE_MS
  for (;;) {
    const count = await left()
    if (count === 0) return
    if (performance.now() > deadline) throw new Error(`${count} ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
