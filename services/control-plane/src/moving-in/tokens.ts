import { hashTokenKey, sealedBy } from '@tollgate/config/sealing'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { TokenRecord } from '@tollgate/contracts/moving-in/records'
import type { Tx } from '@tollgate/db/connect'
import { insertCarriedTokens, listTakenKeys, updateCarriedToken, type CarriedToken } from '@tollgate/db/queries/moving-in/import-accounts'
import type { CarriedRow } from '@tollgate/db/queries/moving-in/imports'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import { toStoredKey } from '../resources/tokens/key.ts'
import { shownStatus } from '../resources/tokens/policy.ts'
import { withoutConfusing } from '../resources/users/policy.ts'
import { addBudget } from './budgets.ts'
import { amountIn, changedIn, fieldDigests, type Made, type Run, type Writer } from './carry.ts'
import { addCarriedUse, moveToken, tokenUse } from './money.ts'
import type { Seen } from './users.ts'

const MAX_LIST_BYTES = 8192

const fieldsOf = (run: Run, record: TokenRecord) => ({
  name: withoutConfusing(record.name),
  status: record.status,
  accessed_time: record.accessed_time,
  expired_time: record.expired_time,
  unlimited_quota: record.unlimited_quota,
  model_limits_enabled: record.is_limited_to_models,
  model_limits: record.models.join(','),
  allow_ips: addressesOf(run, record),
  group: record.group,
  cross_group_retry: record.cross_group_retry,
  // A source that knows none leaves those that were set here.
  ...(record.limits === undefined ? {} : { limits: record.limits }),
})

/** A line that is no address would never match: it is left out and listed, and the others still restrict the token. */
function addressesOf(run: Run, record: TokenRecord): string {
  const usable = record.allow_ips.filter((line) => isIpAllowed(line.replace(/\/.*$/, ''), [line]))
  if (usable.length < record.allow_ips.length)
    run.found.list('decisions', {
      kind: 'tokens',
      at: `tokens ${record.id}`,
      code: 'addresses',
      detail: record.allow_ips
        .filter((line) => !usable.includes(line))
        .join(' ')
        .slice(0, 200),
    })
  // Without any line the token would be open to all.
  return usable.length === 0 && record.allow_ips.length > 0 ? '127.0.0.1/32' : usable.join('\n')
}

export function tokenWriter(seen: Seen): Writer<'tokens'> {
  return {
    kind: 'tokens',
    idOf: ({ id }) => String(id),
    create: async (run, tx, records) => await createTokens(run, tx, { records, seen }),
    update: updateToken,
  }
}

type Creating = { readonly records: readonly TokenRecord[]; readonly seen: Seen }

async function createTokens(run: Run, tx: Tx, { records, seen }: Creating): Promise<(Made | undefined)[]> {
  seen.beginBatch()
  const owners = await run.ids.resolve(
    tx,
    'users',
    records.map(({ user_id }) => user_id),
  )
  const taken = await listTakenKeys(tx, records.map(hashOf))
  const fit = records.filter((record) => {
    const refusal = refusalOf(record, { owners, taken, seen })
    if (refusal !== undefined)
      run.found.refuse('tokens', { kind: 'tokens', at: `tokens ${record.id}`, code: refusal, detail: record.name.slice(0, 60) })
    return refusal === undefined
  })
  const ids = await run.ids.take(
    tx,
    'tokens',
    fit.map(({ id }) => id),
  )
  const tokens = fit.map((record, index) => toToken(run, record, { id: ids[index] ?? 0, user_id: owners.get(record.user_id) ?? 0 }))
  const sources = new Map(tokens.map(({ id }, index) => [id, fit[index]?.id ?? 0]))
  await insertCarriedTokens(tx, tokens, { referenceOf: ({ id }) => `import:${run.name}:token:${sources.get(id) ?? 0}`, now: run.now })
  for (const [index, token] of tokens.entries())
    await addBudget(run, tx, { user_id: token.user_id, token_id: token.id, budget: fit[index]?.budget })
  await addCarriedUse(
    run,
    tx,
    tokens.flatMap(({ id, user_id, name, used_quota, charged }) =>
      tokenUse({ user_id, token_id: id, token_name: name, quota: used_quota, token_quota: charged }),
    ),
  )
  const targets = new Map(fit.map((record, index) => [record.id, ids[index] ?? 0]))
  return records.map((record) => {
    const target_id = targets.get(record.id)
    if (target_id === undefined) return undefined
    compareState(run, record)
    return { target_id, state: stateOf(run, record, 0) }
  })
}

const stateOf = (run: Run, record: TokenRecord, moves: number) => ({
  remain: record.remain_quota,
  used: record.used_quota,
  moves,
  fields: fieldDigests(fieldsOf(run, record)),
})

const hashOf = ({ key, key_hash }: TokenRecord): string => (key === '' ? key_hash : hashTokenKey(key))

/** A key that the source keeps as a hash has no text to show. */
function storedKeyOf({ deps }: Run, record: TokenRecord): ReturnType<typeof toStoredKey> {
  const sealer = deps.sealers.options
  if (record.key !== '') return toStoredKey(record.key, sealer)
  const { key_hash, key_tail } = record
  return { key_hash, key_sealed: sealer.seal('', sealedBy.tokenKey(key_hash)), key_head: '', key_tail }
}

type Facts = { readonly owners: ReadonlyMap<number, number>; readonly taken: ReadonlySet<string>; readonly seen: Seen }

function refusalOf(record: TokenRecord, { owners, taken, seen }: Facts): string | undefined {
  if (!owners.has(record.user_id)) return 'no-owner'
  if (taken.has(hashOf(record)) || !seen.add('key', hashOf(record), record.id)) return 'key-taken'
  return Buffer.byteLength(record.models.join(',')) > MAX_LIST_BYTES || Buffer.byteLength(record.allow_ips.join('\n')) > MAX_LIST_BYTES
    ? 'list-long'
    : undefined
}

function toToken(run: Run, record: TokenRecord, { id, user_id }: { id: number; user_id: number }): CarriedToken {
  const { used_quota, remain_quota, unlimited_quota, is_deleted } = record
  // A token without a limit takes nothing from its own quota here.
  const charged = unlimited_quota ? 0 : used_quota
  return {
    ...fieldsOf(run, record),
    ...storedKeyOf(run, record),
    limits: record.limits ?? null,
    id,
    user_id,
    created_time: record.created_time === 0 ? run.now : record.created_time,
    granted: remain_quota + charged,
    charged,
    used_quota,
    status: is_deleted ? TokenStatus.disabled : record.status,
    is_deleted,
  }
}

/** The source sets "expired" and "used up" when a token is next used; here they follow from time and quota. */
function compareState({ found, now }: Run, record: TokenRecord): void {
  if (record.is_deleted) return
  const here = shownStatus({ ...record, remain_quota: record.remain_quota }, now)
  if (here !== record.status)
    found.list('changed', { kind: 'tokens', at: `tokens ${record.id}`, code: 'token-state', detail: `${record.status} → ${here}` })
}

async function updateToken(run: Run, tx: Tx, record: TokenRecord, before: CarriedRow): Promise<Made | undefined> {
  const token_id = before.target_id
  const user_id = (await run.ids.resolve(tx, 'users', [record.user_id])).get(record.user_id)
  if (user_id === undefined) return undefined
  const moves = amountIn(before, 'moves') + 1
  await updateCarriedToken(tx, { id: token_id, patch: changedIn(fieldsOf(run, record), before), is_deleted: record.is_deleted })
  await moveToken(run, tx, {
    user_id,
    token_id,
    token_name: withoutConfusing(record.name),
    remain: record.remain_quota - amountIn(before, 'remain'),
    used: record.used_quota - amountIn(before, 'used'),
    isLimited: !record.unlimited_quota,
    accessed_time: record.accessed_time,
    reference: `import:${run.name}:token:${record.id}:${moves}`,
  })
  return { target_id: token_id, state: stateOf(run, record, moves) }
}
