import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PROPAGATION_MS } from '../../soak/accounts.ts'
import { signIn } from '../../soak/console.ts'
import { relayRequest } from '../gateways.ts'
import type { Installation } from './installation.ts'

/** Never reached. */
const AMOUNT = 1_000_000_000_000
const TOKEN_WINDOWS = ['day', 'total'] as const
/** The user's budget and those of the token. */
export const BUDGETS_EACH = 1 + TOKEN_WINDOWS.length

/** The same installation twice: with the users of the first half, and with those of the second, each of whose tokens has three budgets. */
export async function splitByBudgets(installation: Installation): Promise<{ without: Installation; withBudgets: Installation }> {
  const { accounts, origin, testbed } = installation
  const half = accounts.users.length / 2
  const admin = await signIn(origin, accounts.root)
  for (const account of accounts.users.slice(half)) {
    const user = await signIn(origin, account)
    const tokens = await user.get<{ id: number }[]>('/api/token/?p=0&size=100')
    await user.signOut()
    await admin.send('POST', '/api/budgets/', { user_id: user.id, window: 'month', amount: AMOUNT })
    for (const { id } of tokens)
      for (const window of TOKEN_WINDOWS) await admin.send('POST', '/api/budgets/', { token_id: id, window, amount: AMOUNT })
  }
  await admin.signOut()
  await wait(PROPAGATION_MS)
  const tokensEach = accounts.rich.length / accounts.users.length
  const part = (name: string, keys: readonly string[]): Installation => {
    const file = join(testbed.dir, name.replaceAll(' ', '-'))
    writeFileSync(file, keys.join('\n'))
    const files = { ...testbed.keys, rich: file }
    return {
      ...installation,
      name,
      testbed: { ...testbed, keys: files },
      gateway: { ...installation.gateway, name, request: relayRequest(files) },
    }
  }
  return {
    without: part('without budgets', accounts.rich.slice(0, half * tokensEach)),
    withBudgets: part('with budgets', accounts.rich.slice(half * tokensEach)),
  }
}
