import type { BalanceProblem } from '@tollgate/contracts/failures/balance-fault'
import { textOf } from '@tollgate/contracts/app-error'
import { redactKey } from '@tollgate/domain/secrets/redact-key'
import { OutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import { catalogue } from '@tollgate/providers/catalogue'

export type BalanceInput = {
  readonly type: number
  readonly base_url: string
  readonly key: string
  readonly proxy?: string | undefined
  /** Unix milliseconds; some vendors want the dates of a month. */
  readonly now: number
}

/** The channel itself is there. */
export type ReadProblem = Exclude<BalanceProblem, 'missing'>
export type BalanceResult =
  | { readonly kind: 'balance'; readonly balance: number; readonly status: number }
  | { readonly kind: 'problem'; readonly problem: ReadProblem; readonly detail: string; readonly status: number }

const TIMEOUT_MS = 15_000
const DAY_MS = 86_400_000

type Fetch = (url: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>
type Vendor = (fetch: Fetch, input: BalanceInput & { readonly base: string }) => Promise<number>

/** Ends a read with a reason. */
class BalanceError extends Error {
  readonly problem: ReadProblem
  readonly status: number
  constructor(problem: ReadProblem, detail: string, status = 0) {
    super(detail)
    this.problem = problem
    this.status = status
  }
}

/** The balance calls of vendors, by channel type. */
const VENDORS: Readonly<Record<number, Vendor>> = {
  1: subscription,
  8: subscription,
  // https://docs.aiproxy.io
  10: async (fetch, { key }) =>
    numberAt(await fetch('https://aiproxy.io/api/report/getUserOverview', { 'Api-Key': key }), 'data', 'totalPoints'),
  12: async (fetch, { base }) => numberAt(await fetch(`${base}/dashboard/billing/credit_grants`), 'total_remaining'),
  13: async (fetch, { base }) => numberAt(await fetch(`${base}/dashboard/billing/credit_grants`), 'total_available'),
  // https://openrouter.ai/docs/api-reference/get-credits
  20: async (fetch, { base }) => {
    const answer = await fetch(`${base}/v1/credits`)
    return numberAt(answer, 'data', 'total_credits') - numberAt(answer, 'data', 'total_usage')
  },
  // https://platform.moonshot.cn/docs/api/misc
  25: async (fetch, { base }) => numberAt(await fetch(`${base}/v1/users/me/balance`), 'data', 'available_balance'),
  // https://docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info
  40: async (fetch, { base }) => {
    const answer = await fetch(`${base}/v1/user/info`)
    const code = valueAt(answer, 'code')
    if (code !== 20_000) throw new BalanceError('code', `code: ${String(code)}, message: ${String(valueAt(answer, 'message'))}`)
    return numberAt(answer, 'data', 'totalBalance')
  },
  // https://api-docs.deepseek.com/api/get-user-balance
  43: async (fetch, { base }) => {
    const infos = valueAt(await fetch(`${base}/user/balance`), 'balance_infos')
    const entry = Array.isArray(infos) ? infos.find((one: unknown) => valueAt(one, 'currency') === 'CNY') : undefined
    if (entry === undefined) throw new BalanceError('currency', textOf('balance.currency', 'en'))
    return numberAt(entry, 'total_balance')
  },
}

/** Channel types whose balance can be read. */
export const balanceTypes: readonly number[] = Object.keys(VENDORS).map(Number)

/** Reads a channel's balance from its vendor, in the vendor's currency. */
export async function readBalance(outbound: Pick<Outbound, 'request'>, input: BalanceInput): Promise<BalanceResult> {
  const vendor = VENDORS[input.type]
  if (vendor === undefined) return { kind: 'problem', problem: 'unsupported', detail: '', status: 0 }
  const base = (input.base_url === '' ? (catalogue.find((entry) => entry.type === input.type)?.baseUrl ?? '') : input.base_url).replace(
    /\/+$/,
    '',
  )
  try {
    return { kind: 'balance', balance: round(await vendor(fetchWith(outbound, input), { ...input, base })), status: 200 }
  } catch (error) {
    if (error instanceof BalanceError)
      return { kind: 'problem', problem: error.problem, detail: redactKey(error.message, input.key).slice(0, 300), status: error.status }
    // The message may contain internal addresses, so only the kind of failure is reported.
    if (error instanceof OutboundError) return { kind: 'problem', problem: 'network', detail: error.failure, status: 0 }
    throw error
  }
}

function fetchWith(outbound: Pick<Outbound, 'request'>, { key, proxy }: BalanceInput): Fetch {
  return async (url, headers = { authorization: `Bearer ${key}` }) => {
    const answer = await outbound.request({ url, headers: { ...headers, accept: 'application/json' }, timeoutMs: TIMEOUT_MS, proxy })
    if (answer.status !== 200) throw new BalanceError('status', `status code: ${answer.status}`, answer.status)
    try {
      const parsed: unknown = JSON.parse(answer.body.toString('utf8'))
      return parsed
    } catch {
      throw new BalanceError('malformed', 'JSON', answer.status)
    }
  }
}

/** The limit minus the use of this month, or of the last 100 days without a payment method. */
async function subscription(fetch: Fetch, { base, now }: BalanceInput & { readonly base: string }): Promise<number> {
  const limits = await fetch(`${base}/v1/dashboard/billing/subscription`)
  const today = new Date(now)
  const isPaying = valueAt(limits, 'has_payment_method') !== false
  const from = isPaying ? new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)) : new Date(now - 100 * DAY_MS)
  const usage = await fetch(`${base}/v1/dashboard/billing/usage?start_date=${dateOf(from)}&end_date=${dateOf(today)}`)
  return numberAt(limits, 'hard_limit_usd') - numberAt(usage, 'total_usage') / 100
}

const dateOf = (date: Date): string => date.toISOString().slice(0, 10)
const round = (balance: number): number => Math.round(balance * 1e6) / 1e6

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value
  for (const name of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined
  return at
}

/** Vendors send amounts as numbers or as text. */
function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new BalanceError('malformed', path.join('.'))
  return number
}
