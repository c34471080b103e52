import { AppError } from '@tollgate/contracts/app-error'
import type { Word } from '@tollgate/contracts/errors/params'
import type { BudgetScope, BudgetWindow } from '@tollgate/contracts/pricing/budget-names'
import type { BudgetRule, ExplainedBudget } from '@tollgate/contracts/pricing/budgets'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import { budgetsFor } from '@tollgate/domain/budgets/applicable'
import { NEVER, windowAt } from '@tollgate/domain/budgets/window'
import { formatShort } from '@tollgate/domain/pricing/format'
import type { BudgetTaken, CountedBudget } from '@tollgate/ledger/client/budget-args'
import type { ReserveResult } from '@tollgate/ledger/client/types'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { RequestContext } from '../request/context.ts'

type Config = Pick<RuntimeConfig, 'snapshot'>

const NONE: readonly BudgetRule[] = []

type Announcing = Pick<RequestContext, 'reply'>

/** The budgets that count the requests of a token. */
export function listBudgets(
  { budgets, user_group }: Pick<TokenRecord, 'budgets' | 'user_group'>,
  { snapshot }: Config,
): readonly BudgetRule[] {
  return budgetsFor(budgets ?? NONE, snapshot.groups.get(user_group)?.budgets ?? NONE)
}

/** The windows in which a request counts that is admitted now. */
export function countedBudgets(rules: readonly BudgetRule[], now: UnixSeconds): CountedBudget[] {
  return rules.map((rule) => ({
    id: rule.id,
    account: rule.scope === 'token' ? 'token' : 'wallet',
    ...windowAt(rule, now),
    cap: rule.action === 'refuse' ? rule.amount : undefined,
  }))
}

/** A request that has a debt already is counted and never refused. */
export function countOnly(rules: readonly BudgetRule[]): readonly BudgetRule[] {
  return rules.length === 0 ? rules : rules.map((rule) => ({ ...rule, action: 'warn' }))
}

/** An explanation's part about the budgets of a hold. */
export function explainBudgets(
  rules: readonly BudgetRule[],
  windows: readonly CountedBudget[],
  taken: readonly BudgetTaken[],
): ExplainedBudget[] {
  return rules.flatMap(({ id, scope, window, amount, action }, at) => {
    const [counted, took] = [windows[at], taken[at]]
    if (counted === undefined || took === undefined) return []
    const { start, end } = counted
    return [{ id, scope, window, start, ...(end === NEVER ? {} : { end }), amount, ...took, action }]
  })
}

/**
 * Announces the tightest budget in the header fields that the IETF proposes, beside the limits of each API; amounts are quota:
 * https://github.com/ietf-wg-httpapi/ratelimit-headers (version 10)
 */
export function announceBudgets(context: Announcing, budgets: readonly ExplainedBudget[], now: UnixMillis): void {
  let tightest: ExplainedBudget | undefined
  for (const budget of budgets)
    if (budget.action === 'refuse' && (tightest === undefined || leftOf(budget) < leftOf(tightest))) tightest = budget
  if (tightest !== undefined) announce(context, { ...tightest, left: leftOf(tightest) }, now)
}

type Announced = Pick<ExplainedBudget, 'scope' | 'window' | 'start' | 'end' | 'amount'> & { readonly left: number }

function announce({ reply }: Announcing, { scope, window, start, end, amount, left }: Announced, now: UnixMillis): void {
  const name = `"budget-${scope}-${window}"`
  const length = end === undefined ? '' : `;w=${end - start}`
  const reset = end === undefined ? '' : `;t=${Math.max(0, Math.ceil(end - now / 1000))}`
  reply.announce({ 'RateLimit-Policy': `${name};q=${amount}${length}`, RateLimit: `${name};r=${left}${reset}` })
}

/** Amount that other requests can take. */
const leftOf = ({ amount, spent, held, took }: ExplainedBudget): number => Math.max(0, amount - spent - held - took)

type Shown = Pick<RuntimeConfig['settings'], 'display_in_currency' | 'quota_per_unit'>
type Refused = {
  readonly rules: readonly BudgetRule[]
  readonly windows: readonly CountedBudget[]
  readonly short: Extract<ReserveResult, { kind: 'budget-short' }>
  /** The least that the request needs. */
  readonly least: number
  readonly now: UnixMillis
}

/** How long an answer usually takes. */
const HELD_RETRY_MS = 2000
/** Clients wait this long for a window that begins; a longer wait is stated in words. */
const LONGEST_WAIT_MS = 60_000

/** The error of a request that does not fit into a budget, which is announced as the tightest one. */
export function overBudget(context: Announcing, { rules, windows, short, least, now }: Refused, shown: Shown): AppError {
  const [rule, counted] = [rules[short.index], windows[short.index]]
  if (rule === undefined || counted === undefined) return new AppError('internal')
  const left = rule.amount - short.spent - short.held
  const { start, end } = counted
  announce(context, { ...rule, start, ...(end === NEVER ? {} : { end }), left: Math.max(0, left) }, now)
  const params = {
    window: WINDOW_WORDS[rule.window],
    of: OWNER_WORDS[rule.scope],
    amount: formatShort(rule.amount, shown, 'down'),
    have: formatShort(Math.max(0, left), shown, 'down'),
    need: formatShort(least, shown, 'up'),
  }
  if (short.held > 0 && left + short.held >= least) {
    return new AppError('budget.held', { ...params, held: formatShort(short.held, shown, 'down'), retry_after_ms: HELD_RETRY_MS })
  }
  if (end === NEVER) return new AppError('budget.reached-total', params)
  const wait = Math.max(0, end * 1000 - now)
  if (wait <= LONGEST_WAIT_MS) return new AppError('budget.restarting', { ...params, retry_after_ms: wait })
  return new AppError('budget.reached', { ...params, resets: localTime(end, rule.time_zone) })
}

const WINDOW_WORDS: Readonly<Record<BudgetWindow, Word>> = {
  '5h': { zh: '5 小时', en: '5-hour' },
  day: { zh: '每日', en: 'daily' },
  week: { zh: '每周', en: 'weekly' },
  month: { zh: '每月', en: 'monthly' },
  total: { zh: '总', en: 'total' },
}
const ACCOUNT_WORD: Word = { zh: '你的账户', en: 'your account' }
const OWNER_WORDS: Readonly<Record<BudgetScope, Word>> = {
  token: { zh: '该令牌', en: 'this token' },
  user: ACCOUNT_WORD,
  group: ACCOUNT_WORD,
  project: { zh: '该项目', en: 'this project' },
  member: { zh: '该成员', en: 'this member' },
}

/** Such as `2026-11-29 00:00 (Asia/Shanghai)`. */
function localTime(at: UnixSeconds, timeZone: string): string {
  const text = new Date(at * 1000).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return `${text} (${timeZone})`
}
