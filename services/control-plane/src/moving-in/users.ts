import { createHash } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import { Role, UserStatus } from '@tollgate/contracts/enums'
import type { UserRecord } from '@tollgate/contracts/moving-in/records'
import { UserSetting } from '@tollgate/contracts/resources/users'
import type { Tx } from '@tollgate/db/connect'
import {
  addEarnings,
  findClashes,
  insertCarriedEntries,
  insertCarriedUsers,
  removeCarriedUser,
  saveInvites,
  type CarriedEntry,
  type CarriedUser,
  type Clash,
} from '@tollgate/db/queries/moving-in/import-accounts'
import { listCarried, saveCarried, type CarriedRow } from '@tollgate/db/queries/moving-in/imports'
import { startTwoFactor, takeTotpStep } from '@tollgate/db/queries/users/two-factor'
import { affectsRelays, setAccessTokenHash, updateUser } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { addBudget } from './budgets.ts'
import { amountIn, changedIn, fieldDigests, type Made, type Run, type Writer } from './carry.ts'
import { addCarriedUse, moveWallet } from './money.ts'
import { createInviteCode } from '../resources/setup/invite-code.ts'

const ROLES: ReadonlySet<number> = new Set(Object.values(Role))
const MAX_NAME = 200

/** The columns that a later run brings in line with the source. */
const fieldsOf = (record: UserRecord) => ({
  password_hash: record.password_hash,
  display_name: record.display_name,
  role: roleOf(record),
  status: record.is_enabled ? UserStatus.enabled : UserStatus.disabled,
  email: record.email,
  github_id: record.github_id,
  oidc_id: record.oidc_id,
  wechat_id: record.wechat_id,
  telegram_id: record.telegram_id,
  linux_do_id: record.linux_do_id,
  group: record.group,
  // A source that knows none leaves those that were set here.
  ...(record.limits === undefined ? {} : { limits: record.limits }),
})

const roleOf = ({ role }: UserRecord): number => (ROLES.has(role) && role !== Role.guest ? role : Role.user)

const claimsOf = (record: UserRecord) => ({
  username: record.username.slice(0, MAX_NAME),
  email: record.is_deleted ? '' : record.email,
  github_id: record.github_id,
  oidc_id: record.oidc_id,
  wechat_id: record.wechat_id,
  telegram_id: record.telegram_id,
  linux_do_id: record.linux_do_id,
  access_token_hash: record.access_token === '' ? '' : createHash('sha256').update(record.access_token).digest('hex'),
  aff_code: record.aff_code,
})
type Claims = ReturnType<typeof claimsOf>

/** Values that earlier rows of the run have: Postgres knows those of earlier batches, but not in a dry run. */
export class Seen {
  readonly #owners = new Map<string, number>()
  readonly #isDryRun: boolean

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun
  }

  beginBatch(): void {
    if (!this.#isDryRun) this.#owners.clear()
  }

  /** False when another row had the value before. */
  add(field: string, value: string, id: number): boolean {
    const key = `${field} ${field === 'email' ? value.toLowerCase() : value}`
    const owner = this.#owners.get(key)
    if (owner !== undefined) return owner === id
    this.#owners.set(key, id)
    return true
  }
}

export function userWriter(seen: Seen): Writer<'users'> {
  return {
    kind: 'users',
    idOf: ({ id }) => String(id),
    create: async (run, tx, records) => await createUsers(run, tx, { records, seen }),
    update: updateCarriedUser,
  }
}

type Creating = { readonly records: readonly UserRecord[]; readonly seen: Seen }

async function createUsers(run: Run, tx: Tx, { records, seen }: Creating): Promise<Made[]> {
  seen.beginBatch()
  const clashes = await findClashes(tx, records.map(claimsOf))
  const joined = new Map<number, number>()
  const unique = new Map<number, Claims>()
  for (const [index, record] of records.entries()) {
    const clash = clashes[index]
    if (clash === undefined) continue
    const joins = joinedTo(run, record, clash)
    if (joins === undefined) unique.set(record.id, uniqueClaims(run, record, clash, seen))
    else joined.set(record.id, joins)
  }
  const made = records.filter(({ id }) => unique.has(id))
  const ids = await run.ids.take(
    tx,
    'users',
    made.map(({ id }) => id),
  )
  const idOf = new Map(made.map(({ id }, index) => [id, ids[index] ?? 0]))
  await insertCarriedUsers(
    tx,
    made.map((record) => toUser(run, record, idOf.get(record.id) ?? 0, unique.get(record.id) ?? claimsOf(record))),
  )
  await insertCarriedEntries(
    tx,
    made.flatMap((record) => entriesOf(run, record, idOf.get(record.id) ?? 0)),
  )
  await addCarriedUse(
    run,
    tx,
    made.map((record) => ({ user_id: idOf.get(record.id) ?? 0, quota: record.used_quota })),
  )
  for (const record of records) {
    const user_id = joined.get(record.id)
    if (user_id === undefined) continue
    const { quota, used_quota: used, request_count: requests } = record
    await moveWallet(run, tx, { user_id, quota, used, requests, reference: `${referenceOf(run, record)}:joined`, note: '' })
    run.found.list('decisions', { kind: 'users', at: `users ${record.id}`, code: 'joined', detail: record.username })
  }
  for (const record of made) {
    const user_id = idOf.get(record.id) ?? 0
    await keepSecondStep(run, tx, record, user_id)
    await addBudget(run, tx, { user_id, token_id: 0, budget: record.budget })
  }
  return records.map((record) => ({
    target_id: joined.get(record.id) ?? idOf.get(record.id) ?? 0,
    state: stateOf(record, joined.has(record.id), 0),
  }))
}

const stateOf = (record: UserRecord, is_joined: boolean, moves: number) => ({
  quota: record.quota,
  used: record.used_quota,
  requests: record.request_count,
  moves,
  ...(is_joined ? { is_joined } : {}),
  fields: fieldDigests(fieldsOf(record)),
})

/** The account that a record becomes a part of: root's own, or by the rule for names that clash. */
function joinedTo({ merge }: Run, record: UserRecord, { id, role }: Clash): number | undefined {
  if (id === null || record.is_deleted) return undefined
  return merge === 'join' || (record.role === Role.root && role === Role.root) ? id : undefined
}

/** The values that the account gets: one that another has is left out and listed, and a name gets the number of its row. */
function uniqueClaims(run: Run, record: UserRecord, clash: Clash, seen: Seen): Claims {
  const claims = claimsOf(record)
  const list = (code: string, detail: string): void =>
    run.found.list('decisions', { kind: 'users', at: `users ${record.id}`, code, detail })
  if (clash.id !== null || !seen.add('username', clash.folded, record.id)) {
    const renamed = `${claims.username}_${record.id}`
    list('renamed', `${claims.username} → ${renamed}`)
    claims.username = renamed
  }
  for (const field of [
    'email',
    'github_id',
    'oidc_id',
    'wechat_id',
    'telegram_id',
    'linux_do_id',
    'access_token_hash',
    'aff_code',
  ] as const) {
    if (claims[field] === '') continue
    if (!clash.taken.includes(field) && seen.add(field, claims[field], record.id)) continue
    if (field !== 'aff_code') list('taken', field)
    claims[field] = ''
  }
  return claims
}

function toUser(run: Run, record: UserRecord, id: number, claims: Claims): CarriedUser {
  const { password_hash, display_name, role, status, group } = fieldsOf(record)
  return {
    ...claims,
    id,
    shard: id % run.deps.env.SHARDS,
    password_hash,
    display_name,
    role,
    status,
    access_token_hash: claims.access_token_hash === '' ? null : claims.access_token_hash,
    group,
    credited: record.quota + record.used_quota,
    spent: record.used_quota,
    request_count: record.request_count,
    aff_code: claims.aff_code === '' ? createInviteCode() : claims.aff_code,
    setting: settingText(run, record, id),
    language: record.setting['language'] === 'en' ? 'en' : 'zh',
    limits: record.limits ?? null,
    created_at: record.created_at === 0 ? run.now : record.created_at,
    is_deleted: record.is_deleted,
  }
}

function settingText({ deps }: Run, { setting, email }: UserRecord, id: number): string {
  const { language: _, webhook_secret, ...fields } = setting
  const parsed = UserSetting.safeParse(fields)
  if (!parsed.success) return ''
  const { notification_email = '', ...rest } = parsed.data
  const secret =
    typeof webhook_secret === 'string' && webhook_secret !== ''
      ? { webhook_secret: deps.sealers.options.seal(webhook_secret, sealedBy.webhookSecret(id)) }
      : {}
  // Notices went to this address; another than the account's is not asked to confirm itself again.
  const address =
    notification_email === '' || notification_email === email
      ? {}
      : { notification_email, notification_email_confirmed: notification_email }
  const kept = { ...rest, ...secret, ...address }
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept)
}

const referenceOf = ({ name }: Run, { id }: Pick<UserRecord, 'id'>): string => `import:${name}:user:${id}`

function entriesOf(run: Run, record: UserRecord, user_id: number): CarriedEntry[] {
  const moved = movedEarnings(record)
  const common = { user_id, reference: referenceOf(run, record), note: '', created_at: run.now }
  const amount = record.quota + record.used_quota - moved
  return [
    ...(amount === 0 ? [] : [{ ...common, kind: 'import', amount }]),
    ...(moved === 0 ? [] : [{ ...common, kind: 'transfer', amount: moved }]),
  ]
}

/** Invite earnings that the user has moved to the wallet. */
const movedEarnings = ({ aff_history, aff_quota }: UserRecord): number => earned({ aff_history, aff_quota }) - aff_quota
/** Pending rewards were earned, also where the source's sum says less. */
const earned = ({ aff_history, aff_quota }: Pick<UserRecord, 'aff_history' | 'aff_quota'>): number => Math.max(aff_history, aff_quota, 0)

/** The secret is used from the first sign-in on; the source's recovery codes are of another form. */
async function keepSecondStep({ deps, now, found }: Run, tx: Tx, record: UserRecord, user_id: number): Promise<void> {
  const secret = record.totp_secret.replaceAll(/[\s=]/g, '').toUpperCase()
  if (secret === '') return
  if (!/^[A-Z2-7]{16,}$/.test(secret)) {
    found.list('refused', { kind: 'users', at: `users ${record.id}`, code: 'second-step', detail: '' })
    return
  }
  await startTwoFactor(tx, { user_id, secret_sealed: deps.sealers.options.seal(secret, sealedBy.totp(user_id)), now })
  await takeTotpStep(tx, { user_id, step: 1, turnsOn: true })
}

async function updateCarriedUser(run: Run, tx: Tx, record: UserRecord, before: CarriedRow): Promise<Made> {
  const id = before.target_id
  const is_joined = before.state['is_joined'] === true
  const moves = amountIn(before, 'moves') + 1
  await moveWallet(run, tx, {
    user_id: id,
    quota: record.quota - amountIn(before, 'quota'),
    used: record.used_quota - amountIn(before, 'used'),
    requests: record.request_count - amountIn(before, 'requests'),
    reference: `${referenceOf(run, record)}:${moves}`,
    note: '',
  })
  if (is_joined) return { target_id: id, state: stateOf(record, is_joined, moves) }
  const patch = changedIn(fieldsOf(record), before)
  const [clash] = await findClashes(tx, [{ ...claimsOf(record), username: '' }])
  for (const field of ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'] as const) {
    if (patch[field] === undefined || patch[field] === '' || clash?.taken.includes(field) !== true) continue
    run.found.list('decisions', { kind: 'users', at: `users ${record.id}`, code: 'taken', detail: field })
    delete patch[field]
  }
  await updateUser(tx, { id, patch })
  const { access_token_hash } = claimsOf(record)
  // A new password deletes the key of the management API here, and not in the source.
  if (patch.password_hash !== undefined && access_token_hash !== '' && clash?.taken.includes('access_token_hash') !== true)
    await setAccessTokenHash(tx, { id, hash: access_token_hash })
  if (record.is_deleted) await removeCarriedUser(tx, id)
  if (affectsRelays(patch) || record.is_deleted) await appendOutbox(tx, { subject: 'user', subject_id: id, now: run.now })
  return { target_id: id, state: stateOf(record, is_joined, moves) }
}

const INVITES = 'invites'

/** Invites and their earnings, once all accounts are there. A later run adds what is new. */
export async function carryInvites(run: Run, tx: Tx, records: readonly UserRecord[], part: 'invites' | 'earnings'): Promise<void> {
  const { name } = run
  const inviters = await run.ids.resolve(
    tx,
    'users',
    records.map(({ inviter_id }) => inviter_id),
  )
  const ids = records.map(({ id }) => String(id))
  const accounts = new Map((await listCarried(tx, { name, kind: 'users', ids })).map((row) => [row.source_id, row]))
  const before = new Map((await listCarried(tx, { name, kind: INVITES, ids })).map((row) => [row.source_id, row]))
  const invites = records.flatMap(({ id, inviter_id }) => {
    const [invitee, inviter] = [accounts.get(String(id))?.target_id, inviters.get(inviter_id)]
    return invitee === undefined || inviter === undefined || invitee === inviter
      ? []
      : [{ invitee_id: invitee, inviter_id: inviter, created_at: run.now }]
  })
  // Earnings are added to the invites of an account: all of these come first.
  if (part === 'invites') return await saveInvites(tx, invites)
  const rows: CarriedRow[] = []
  for (const record of records) {
    const account = accounts.get(String(record.id))
    if (account === undefined) continue
    const known = before.get(String(record.id))
    const sums = earningsOf(record, account.state['is_joined'] === true)
    const change = { earned: sums.earned - amountOf(known, 'earned'), moved: sums.moved - amountOf(known, 'moved') }
    if (change.earned === 0 && change.moved === 0) continue
    const moves = amountOf(known, 'moves') + 1
    await addEarnings(tx, { id: account.target_id, ...change, now: run.now })
    if (known !== undefined && change.moved !== 0)
      await relabel(run, tx, {
        user_id: account.target_id,
        amount: change.moved,
        reference: `${referenceOf(run, record)}:invites:${moves}`,
      })
    rows.push({ source_id: String(record.id), target_id: account.target_id, digest: '', state: { ...sums, moves } })
  }
  await saveCarried(tx, { name, kind: INVITES, rows })
}

const amountOf = (row: CarriedRow | undefined, field: string): number => (row === undefined ? 0 : amountIn(row, field))

function earningsOf(record: UserRecord, isJoined: boolean): { earned: number; moved: number } {
  if (isJoined) return { earned: Math.max(record.aff_quota, 0), moved: 0 }
  return { earned: earned(record), moved: movedEarnings(record) }
}

/** The wallet has the amount by an entry of the account already: a part of it is of invites. */
async function relabel(
  run: Run,
  tx: Tx,
  { user_id, amount, reference }: { user_id: number; amount: number; reference: string },
): Promise<void> {
  const common = { user_id, reference, actor: 0, now: run.now }
  await creditWallet(tx, { ...common, kind: 'transfer', amount })
  await creditWallet(tx, { ...common, kind: 'import', amount: -amount })
}
