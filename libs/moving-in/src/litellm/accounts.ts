import type { RecordNote, TokenRecord, UserRecord } from '@tollgate/contracts/moving-in/records'
import { hasLimit, Limits } from '@tollgate/contracts/relay/limits'
import { DEFAULT_QUOTA_PER_UNIT, type Quota } from '@tollgate/contracts/units'
import { z } from 'zod'
import type { Cells } from '../cells/cells.ts'
import { budgetOf, idOf, textArray, timeAt, toQuota, windowBudgetOf, type Budget } from './values.ts'

const Members = z.array(z.object({ user_id: z.string().nullable().default(null), role: z.string().default('user') }))

export type Facts = {
  readonly budgets: ReadonlyMap<string, Cells>
  /** Models of each team. */
  readonly teams: ReadonlyMap<string, readonly string[]>
  readonly now: number
  /** The balance of an account without a budget. */
  readonly unlimitedAs: Quota
}

/** The account of keys without a user and a team. */
export const NO_OWNER = 'keys without an owner'
export const USERS = 'LiteLLM_UserTable'
export const TEAMS = 'LiteLLM_TeamTable'

const EMPTY = {
  password_hash: '',
  role: 1,
  is_enabled: true,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  access_token: '',
  group: 'default',
  request_count: 0,
  aff_code: '',
  aff_quota: 0,
  aff_history: 0,
  inviter_id: 0,
  setting: {},
  totp_secret: '',
  is_deleted: false,
  organisation: null,
} as const satisfies Partial<UserRecord>

/** An operator who set no balance for these accounts decides on it. */
const noBudget = (balance: Quota): RecordNote =>
  balance === 0 ? { code: 'no-budget', detail: '' } : { code: 'balance-as-asked', detail: `${balance / DEFAULT_QUOTA_PER_UNIT} USD` }

export const ownerless = ({ unlimitedAs }: Facts): UserRecord => ({
  ...EMPTY,
  origin: { table: USERS, id: NO_OWNER },
  notes: [noBudget(unlimitedAs)],
  id: idOf('user', NO_OWNER),
  username: 'litellm',
  display_name: NO_OWNER,
  quota: unlimitedAs,
  used_quota: 0,
  created_at: 0,
})

export function toUser(cells: Cells, facts: Facts): UserRecord {
  const user_id = cells.text('user_id')
  const budget = budgetOf(cells, facts.budgets.get(cells.text('budget_id')), facts.now)
  if (cells.text('password') !== '') cells.note('password', 'scrypt')
  return {
    ...EMPTY,
    ...wallet(cells, budget, facts),
    origin: { table: USERS, id: user_id },
    id: idOf('user', user_id),
    username: cells.text('user_alias') || user_id,
    display_name: cells.text('user_alias'),
    role: cells.text('user_role') === 'proxy_admin' ? 10 : 1,
    email: cells.text('user_email').trim(),
    oidc_id: cells.text('sso_user_id'),
    ...limitsOf(cells),
    created_at: timeAt(cells, 'created_at') ?? 0,
    notes: cells.notes,
  }
}

/** Members share the budget of their team: it is an organisation, to whose account the team's keys belong. */
export function toTeam(cells: Cells, facts: Facts): UserRecord {
  const team_id = cells.text('team_id')
  const budget = budgetOf(cells, undefined, facts.now)
  cells.note('team-as-account', cells.text('team_alias'))
  return {
    ...EMPTY,
    ...wallet(cells, budget, facts),
    origin: { table: TEAMS, id: team_id },
    id: idOf('team', team_id),
    username: cells.text('team_alias') || team_id,
    display_name: cells.text('team_alias'),
    is_enabled: !cells.flag('blocked'),
    organisation: { name: cells.text('team_alias') || team_id, members: membersOf(cells) },
    ...limitsOf(cells),
    created_at: timeAt(cells, 'created_at') ?? 0,
    notes: cells.notes,
  }
}

/** The first administrator owns the organisation, or else the first member. */
function membersOf(cells: Cells): { user_id: number; role: 'owner' | 'admin' | 'developer' }[] {
  const rows = Members.safeParse(cells.json('members_with_roles')).data ?? []
  const members = rows.flatMap(({ user_id, role }) => (user_id === null ? [] : [{ user_id: idOf('user', user_id), role }]))
  const owner = members.find(({ role }) => role === 'admin') ?? members[0]
  const others = members.filter((member) => member !== owner)
  return [
    ...(owner === undefined ? [] : [{ user_id: owner.user_id, role: 'owner' as const }]),
    ...others.map(({ user_id, role }) => ({ user_id, role: role === 'admin' ? ('admin' as const) : ('developer' as const) })),
  ]
}

/**
 * The balance of an account: what is left of its budget. A budget that starts again is one of a window here, and its balance does not
 * start again: it is at least the one that the operator asked for.
 */
function wallet(cells: Cells, budget: Budget, { unlimitedAs }: Facts): Pick<UserRecord, 'quota' | 'used_quota' | 'budget'> {
  const used_quota = toQuota(budget.spend)
  if (budget.max === undefined) {
    cells.notes.push(noBudget(unlimitedAs))
    return { quota: unlimitedAs, used_quota }
  }
  const left = toQuota(budget.max) - used_quota
  const carried = windowBudgetOf(budget)
  if (carried === undefined) {
    noteWindow(cells, budget)
    return { quota: left, used_quota }
  }
  const quota = Math.max(left, unlimitedAs)
  cells.note('budget-of-account', `${budget.max} USD per ${budget.duration}, balance ${quota / DEFAULT_QUOTA_PER_UNIT} USD`)
  return { quota, used_quota, budget: carried }
}

function noteWindow(cells: Cells, { max, duration }: Budget): void {
  if (duration !== '' && max !== undefined) cells.note('budget', `${max} USD per ${duration}`)
}

const HASH = /^[0-9a-f]{64}$/
/** Keys of sessions of its own console. */
const DASHBOARD = 'litellm-dashboard'
const ALL = new Set(['all-team-models', 'all-proxy-models', '*'])

export function toKey(
  cells: Cells,
  facts: Facts,
): { readonly record: TokenRecord } | { readonly refused: string } | { readonly skipped: true } {
  const key_hash = cells.text('token')
  const team = cells.text('team_id')
  if (team === DASHBOARD) return { skipped: true }
  if (!HASH.test(key_hash)) return { refused: 'token-key' }
  const budget = budgetOf(cells, facts.budgets.get(cells.text('budget_id')), facts.now)
  const carried = windowBudgetOf(budget)
  if (carried === undefined) noteWindow(cells, budget)
  else cells.note('budget-carried', `${budget.max} USD per ${budget.duration}`)
  if (cells.flag('auto_rotate')) cells.note('rotation', '')
  const limits = limitsOf(cells)
  const { models, isLimited } = modelsOf(cells, facts.teams.get(team) ?? [])
  const user = cells.text('user_id')
  return {
    record: {
      origin: { table: 'LiteLLM_VerificationToken', id: cells.text('key_alias') || `${key_hash.slice(0, 8)}…` },
      id: idOf('key', key_hash),
      user_id: team === '' ? idOf('user', user === '' ? NO_OWNER : user) : idOf('team', team),
      name: cells.text('key_alias') || cells.text('key_name'),
      key: '',
      key_hash,
      key_tail: /[\w-]{4}$/.exec(cells.text('key_name'))?.[0] ?? '',
      status: cells.flag('blocked') ? 2 : 1,
      created_time: timeAt(cells, 'created_at') ?? 0,
      accessed_time: timeAt(cells, 'last_active') ?? 0,
      expired_time: timeAt(cells, 'expires') ?? -1,
      remain_quota: budget.max === undefined || carried !== undefined ? 0 : toQuota(budget.max) - toQuota(budget.spend),
      used_quota: toQuota(budget.spend),
      unlimited_quota: budget.max === undefined || carried !== undefined,
      ...(carried === undefined ? {} : { budget: carried }),
      models,
      is_limited_to_models: isLimited,
      allow_ips: [],
      group: '',
      cross_group_retry: false,
      ...limits,
      is_deleted: false,
      notes: cells.notes,
    },
  }
}

/** The limits of a minute and of open requests; others are left to the operator. */
function limitsOf(cells: Cells): { readonly limits?: Limits } {
  const wanted = { rpm: 'rpm_limit', tpm: 'tpm_limit', concurrency: 'max_parallel_requests' } as const
  const limits: Record<string, number> = {}
  for (const [name, column] of Object.entries(wanted)) {
    const value = cells.has(column) ? cells.int(column) : undefined
    if (value === undefined) continue
    // Limits begin with one; the source refuses everything with zero.
    if (Limits.safeParse({ [name]: value }).success) limits[name] = value
    else cells.note('limits', `${column} ${value}`)
  }
  if (cells.has('tpd_limit')) cells.note('limits', `tpd_limit ${cells.int('tpd_limit')}`)
  return hasLimit(limits) ? { limits } : {}
}

/** An empty list, and each word for all, mean those of the team, or all. */
function modelsOf(cells: Cells, ofTeam: readonly string[]): { models: string[]; isLimited: boolean } {
  const own = textArray(cells, 'models')
  const wanted = own.length === 0 || own.some((model) => ALL.has(model)) ? ofTeam.filter((model) => !ALL.has(model)) : own
  if (wanted.some((model) => model.includes('*'))) cells.note('models', wanted.filter((model) => model.includes('*')).join(' '))
  return { models: [...new Set(wanted)], isLimited: wanted.length > 0 }
}
