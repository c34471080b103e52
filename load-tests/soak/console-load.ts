import { setTimeout as wait } from 'node:timers/promises'
import type { SoakAccounts } from './accounts.ts'
import { ConsoleError, signIn, type Account } from './console.ts'
import { ROOT_SCREENS, USER_SCREENS, type Click, type Screens } from './screens.ts'
import { attempt, createTally, type Tally } from './tally.ts'

const CLICK_MS = 900
/** Concurrent console users, in addition to root. */
const USERS = 5

/** Runs console users that sign in, open one screen after the other and sign out after `seconds`. Clicks are counted by screen. */
export async function loadConsole(origin: string, { root, users }: SoakAccounts, seconds: number): Promise<Tally> {
  const tally = createTally()
  const until = performance.now() + seconds * 1000
  const runSession = async (account: Account, screens: Screens, offset: number): Promise<void> => {
    const clicks = toClicks(screens)
    const user = await attempt(tally, 'sign-in', () => signIn(origin, account))
    if (user === undefined) return
    for (let at = offset; performance.now() < until; at += 1) {
      const next = clicks[at % clicks.length]
      if (next !== undefined) await attempt(tally, next.screen, () => next.click(user))
      await wait(CLICK_MS)
    }
    await attempt(tally, 'sign-out', () => user.signOut())
  }
  // Each user begins at another screen.
  const sessions = users.slice(0, USERS).map((account, at) => runSession(account, USER_SCREENS, at * 7))
  await Promise.all([...sessions, runSession(root, ROOT_SCREENS, 0)])
  return tally
}

const BURST = 100

/**
 * Sends many calls at once, so that the control plane opens every connection to Postgres that its pool allows and keeps. More lists than one
 * user may have open are refused.
 */
export async function fillPools(origin: string, { root }: SoakAccounts): Promise<Tally> {
  const tally = createTally()
  const user = await attempt(tally, 'sign-in', () => signIn(origin, root, BURST))
  if (user === undefined) return tally
  const clicks = toClicks(ROOT_SCREENS)
  const burst = Array.from({ length: BURST }, (_, at) => clicks[at % clicks.length]).filter((one) => one !== undefined)
  await Promise.all(burst.map(({ screen, click }) => attempt(tally, screen, () => click(user).catch(ignoreRefusal))))
  await attempt(tally, 'sign-out', () => user.signOut())
  return tally
}

type NamedClick = { readonly screen: string; readonly click: Click }

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ConsoleError && error.isRefused)) throw error
}

const toClicks = (screens: Screens): NamedClick[] =>
  Object.entries(screens).flatMap(([screen, all]) => all.map((click) => ({ screen, click })))
