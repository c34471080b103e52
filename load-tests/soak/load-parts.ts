import { setTimeout as wait } from 'node:timers/promises'
import type { SoakAccounts } from './accounts.ts'
import { signIn, type ConsoleUser } from './console.ts'
import { createCodes } from './parts/codes.ts'
import { createMails } from './parts/mails.ts'
import type { Part, Sessions } from './parts/part.ts'
import { createPayments } from './parts/payments.ts'
import { createPlayground } from './parts/playground.ts'
import { createTasks } from './parts/tasks.ts'
import { attempt, createTally, type Tally } from './tally.ts'

/** The user of the parts; console users are the first ones. */
const USER = 6
/** Sign-ins are limited per address, and root's console session has another one. */
const ROOT_ADDRESS = '127.0.1.200'

/** Starts the vendors of the parts and sets the options that name them. */
export async function createParts(admin: ConsoleUser, origin: string, { rich }: Pick<SoakAccounts, 'rich'>): Promise<Part[]> {
  return [
    await createTasks(admin, origin, rich[0] ?? ''),
    await createMails(admin, origin),
    await createPayments(admin, origin),
    createCodes(),
    createPlayground('short'),
  ]
}

/** Runs every part for `seconds` and waits until what they began has ended. */
export async function loadParts(parts: readonly Part[], origin: string, accounts: SoakAccounts, seconds: number): Promise<Tally> {
  const tally = createTally()
  const until = performance.now() + seconds * 1000
  const sessions = await attempt(tally, 'sign-ins of the parts', () => openSessions(origin, accounts))
  if (sessions === undefined) return tally
  const run = async (part: Part): Promise<void> => {
    while (performance.now() < until) {
      await attempt(tally, part.name, () => part.act(sessions))
      await wait(part.pauseMs)
    }
    await part.settle?.().catch((error: unknown) => tally.problems.push(`${part.name}: ${String(error)}`))
  }
  await Promise.all(parts.map(run))
  for (const session of [sessions.root, sessions.user]) await attempt(tally, 'sign-outs of the parts', () => session.signOut())
  return tally
}

async function openSessions(origin: string, { root, users }: SoakAccounts): Promise<Sessions> {
  const account = users[USER]
  if (account === undefined) throw new Error(`no user ${USER}`)
  return { root: await signIn(origin, { ...root, address: ROOT_ADDRESS }), user: await signIn(origin, account) }
}
