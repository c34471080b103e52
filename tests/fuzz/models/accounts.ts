import { seedUser, type Seeded } from '../../support/seed.ts'
import type { Target } from '../target.ts'

/** Users with wallets and tokens of several kinds; a new one joins every few hundred calls, because odd usage empties wallets. */
export type Accounts = { pick(at: number): Promise<Seeded> }

const KINDS = [
  { credited: 2_000_000_000, granted: 0, isUnlimited: true },
  { credited: 2_000_000_000, granted: 500_000_000, isUnlimited: false },
  { credited: 30_000, granted: 0, isUnlimited: true },
  { credited: 2_000_000_000, granted: 30_000, isUnlimited: false },
  { credited: 0, granted: 0, isUnlimited: true },
] as const

const CALLS_PER_ACCOUNT = 60
const OPEN = 12

export async function createAccounts(target: Target, onKey: (name: string, key: string) => void): Promise<Accounts> {
  const open: Seeded[] = []
  let made = 0
  let picked = 0
  const add = async (): Promise<void> => {
    // The poor kinds are rarer.
    const kind = KINDS[made % 10 < 6 ? made % 2 : made % KINDS.length] ?? KINDS[0]
    made += 1
    const seeded = await seedUser({ database: { db: target.db }, env: target.env }, kind)
    onKey(`token ${seeded.tokenId}`, seeded.key)
    open.push(seeded)
    if (open.length > OPEN) open.shift()
  }
  for (let at = 0; at < OPEN; at += 1) await add()
  return {
    pick: async (at) => {
      picked += 1
      if (picked % CALLS_PER_ACCOUNT === 0) await add()
      const found = open[at % open.length]
      if (found === undefined) throw new Error('no account')
      return found
    },
  }
}
