import { randomUUID } from 'node:crypto'
import type { Db } from '@tollgate/db/connect'
import { UserStatus } from '@tollgate/contracts/enums'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { updateUser } from '@tollgate/db/queries/users/users'
import { addCredited, createWalletEntry } from '@tollgate/db/queries/wallet/wallet'
import { createChannel, createToken, must, setUp, signIn, ROOT_USER, type Api } from '../support/api.ts'
import type { Account } from './load.ts'
import { importBudget, importToken, importUser } from './imported-accounts.ts'
import { importOrganisation } from './organisations.ts'
import type { PriceChange } from './prices.ts'
import { AUTO_GROUPS, GROUP_RATIOS, GROUPS, MODELS, PRICES } from './script.ts'
import type { Cluster } from './cluster.ts'

const DELETABLE = 4
/** Users with this balance have a token that crosses groups, too. */
const WEALTHY = 20_000

const now = (): number => Math.floor(Date.now() / 1000)

export type Clients = {
  readonly accounts: Account[]
  readonly rootTokens: readonly Account[]
  readonly users: number[]
  /** Users that may be switched off and on, and users that may be deleted. */
  readonly switchable: readonly number[]
  readonly deletable: readonly number[]
  /** Quota credited or granted in requests that were answered, by `user 3` or `token 7`. */
  readonly funding: Map<string, number>
  readonly priceChanges: PriceChange[]
  readonly vendorUrl: string
  api(): Promise<Api>
}

export function addFunding(funding: Map<string, number>, name: string, amount: number): void {
  funding.set(name, (funding.get(name) ?? 0) + amount)
}

type Wanted = {
  readonly vendorUrl: string
  /** Requests that the balances suffice for. */
  readonly requests: number
  readonly organisations: number
}

/** Creates prices, groups, two channels to the vendor and one in each group of `auto`, tokens of root over the API, and imported users, some with a small balance, and organisations. */
export async function createClients(cluster: Cluster, { vendorUrl, requests, organisations }: Wanted): Promise<Clients> {
  let api = await setUp(cluster.controlPlane.url)
  const options = {
    ModelPrice: JSON.stringify({ [MODELS.perCall]: PRICES.call_usd }),
    ModelRatio: JSON.stringify({ [MODELS.perToken]: PRICES.ratio }),
    CompletionRatio: JSON.stringify({ [MODELS.perToken]: PRICES.completion_ratio }),
    RetryTimes: '1',
    GroupRatio: JSON.stringify(GROUP_RATIOS),
    UserUsableGroups: JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, group]))),
    AutoGroups: JSON.stringify(AUTO_GROUPS),
    ModelFallbacks: JSON.stringify({ '*': { [MODELS.perCall]: [MODELS.perToken], [MODELS.perToken]: [MODELS.perCall] } }),
  }
  for (const [key, value] of Object.entries(options)) must(await api.put('/api/option/', { key, value }))
  const models = Object.values(MODELS).join(',')
  for (const name of ['one', 'two']) await createChannel(api, { name, base_url: vendorUrl, models, auto_ban: 0 })
  for (const group of AUTO_GROUPS) await createChannel(api, { name: group, base_url: `${vendorUrl}/${group}`, models, auto_ban: 0, group })
  // Enough for every request of the run: a request costs at most a thousand.
  const rich = 4_000_000 + requests * 1000
  await topUp(cluster.db, { userId: api.userId, amount: rich })
  const rootTokens: Account[] = []
  for (let at = 0; at < 5; at += 1) {
    const token = await createToken(api, { remain_quota: at === 0 ? 30_000 : rich, unlimited_quota: at === 4 })
    rootTokens.push({ user_id: api.userId, token_id: token.id, key: token.key, isPoor: at === 0, crossesGroups: false, isDeleted: false })
  }
  const accounts = [...rootTokens]
  const users = [api.userId]
  for (const credited of [rich, rich, rich, 60_000, 20_000, 5000, ...Array.from({ length: DELETABLE }, () => 100_000)]) {
    const userId = await importUser(cluster, credited)
    users.push(userId)
    const granted = credited === rich ? credited : credited * 2
    accounts.push(await importToken(cluster, { userId, granted }))
    if (credited >= WEALTHY) accounts.push(await importToken(cluster, { userId, granted, crossesGroups: true }))
    if (credited === rich) {
      const token = await importToken(cluster, { userId, granted: 40_000 })
      accounts.push(token)
      // Used up long before the token: nearly every request of it is refused by its budget.
      await importBudget(cluster, { user_id: userId, token_id: token.token_id, amount: 15_000 })
      await importBudget(cluster, { user_id: userId, token_id: token.token_id, amount: 12_000, window: '5h' })
    }
    // Half of what a poor user has, and for a rich one a cap that is counted and not reached.
    await importBudget(cluster, { user_id: userId, amount: credited === rich ? rich : Math.ceil(credited / 2) })
  }
  const [switchable, deletable] = [users.slice(1, 4), users.slice(-DELETABLE)]
  for (let at = 0; at < organisations; at += 1) {
    const { account, tokens } = await importOrganisation(cluster, { credited: rich, members: switchable })
    users.push(account)
    accounts.push(...tokens)
  }
  return {
    accounts,
    funding: await readFunding(cluster.db),
    priceChanges: [],
    vendorUrl,
    rootTokens,
    users,
    switchable,
    deletable,
    api: async () => {
      const answer = await api.get('/api/user/self')
      if (answer.status === 401) api = await signIn(cluster.controlPlane.url, ROOT_USER.username, ROOT_USER.password)
      return api
    },
  }
}

async function readFunding(db: Db): Promise<Map<string, number>> {
  const users = await db.selectFrom('users').select(['id', 'credited']).execute()
  const tokens = await db.selectFrom('tokens').select(['id', 'granted']).execute()
  return new Map([
    ...users.map(({ id, credited }): [string, number] => [`user ${id}`, credited]),
    ...tokens.map(({ id, granted }): [string, number] => [`token ${id}`, granted]),
  ])
}

/** A wallet entry as the control plane writes it: entry, sum, version and outbox in one transaction. */
export async function topUp(db: Db, { userId, amount }: { userId: number; amount: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await createWalletEntry(tx, {
      user_id: userId,
      kind: 'top-up',
      amount,
      reference: randomUUID(),
      actor_id: 0,
      note: 'chaos',
      now: now(),
    })
    await addCredited(tx, { user_id: userId, amount })
    await appendOutbox(tx, { subject: 'user', subject_id: userId, now: now() })
  })
}

type TokenRow = { readonly id: number; readonly name: string; readonly remain_quota: number; readonly unlimited_quota: boolean }

/** Adds quota to a token of root through the console API. */
export async function addTokenQuota(api: Api, tokenId: number, amount: number): Promise<void> {
  const { remain_quota } = must(await api.get<TokenRow>(`/api/token/${tokenId}`))
  must(
    await api.put('/api/token/', {
      id: tokenId,
      remain_quota: remain_quota + amount,
      remain_quota_before: remain_quota,
      form_id: randomUUID(),
    }),
  )
}

/** Switches a token between limited and unlimited through the console API. */
export async function toggleToken(api: Api, tokenId: number): Promise<void> {
  const { unlimited_quota } = must(await api.get<TokenRow>(`/api/token/${tokenId}`))
  must(await api.put('/api/token/', { id: tokenId, unlimited_quota: !unlimited_quota }))
}

/** Enables or disables a user as the control plane does: row, versions and outbox in one transaction. */
export async function switchUser(db: Db, userId: number, to: 'on' | 'off'): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const status = to === 'on' ? UserStatus.enabled : UserStatus.disabled
    if (await updateUser(tx, { id: userId, patch: { status } })) await appendOutbox(tx, { subject: 'user', subject_id: userId, now: now() })
  })
}

/** Soft-deletes a user: the row stays without its personal fields. */
export async function deleteUser(db: Db, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const patch = { status: UserStatus.disabled, username: `deleted-${userId}`, display_name: '', email: '' }
    await updateUser(tx, { id: userId, patch })
    await tx.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', userId).execute()
    await appendOutbox(tx, { subject: 'user', subject_id: userId, now: now() })
  })
}
