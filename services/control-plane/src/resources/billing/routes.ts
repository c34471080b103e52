import { billing, type BillingUsage, type Subscription, type TokenUsage } from '@tollgate/contracts/resources/billing'
import { handle, type Binding } from '@tollgate/http/handle'
import { AppError } from '@tollgate/contracts/app-error'
import { toList } from '@tollgate/db/queries/channels/abilities'
import { findBilled, type Billed } from '@tollgate/db/queries/wallet/billing'
import { hundredths } from '@tollgate/domain/pricing/format'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { keyHashOf } from '../../authentication/authenticate.ts'

/** The limit shown for an unlimited token, as the specification defines it. */
const UNLIMITED = 100_000_000

/**
 * The balance of an API key in the shape that earlier OpenAI clients read. Where the relay has the address of the site it answers these paths itself,
 * from the ledger; here the numbers are those of the last posting, a second or two old.
 */
export function billingRoutes(deps: Deps): Binding[] {
  const subscription = async (c: Context): Promise<Subscription> => {
    const { given, access_until } = await read(deps, c)
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: given,
      hard_limit_usd: given,
      system_hard_limit_usd: given,
      access_until,
    }
  }
  const usage = async (c: Context): Promise<BillingUsage> => ({ object: 'list', total_usage: hundredths((await read(deps, c)).used) })
  return [
    handle(billing.tokenUsage, ({ c }) => tokenUsage(deps, c)),
    handle(billing.subscription, ({ c }) => subscription(c)),
    handle(billing.subscriptionShort, ({ c }) => subscription(c)),
    handle(billing.usage, ({ c }) => usage(c)),
    handle(billing.usageShort, ({ c }) => usage(c)),
  ]
}

async function tokenUsage({ db }: Deps, c: Context): Promise<TokenUsage> {
  const billed = await findBilled(db, keyHashOf(c))
  if (billed === undefined) throw new AppError('record.missing')
  const { name, granted, charged, used_quota: total_used, unlimited_quota, model_limits, model_limits_enabled } = billed
  const total_available = unlimited_quota ? 0 : granted - charged
  return {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name,
      total_granted: total_used + total_available,
      total_used,
      total_available,
      unlimited_quota,
      model_limits: Object.fromEntries(toList(model_limits).map((model) => [model, true as const])),
      model_limits_enabled,
      expires_at: billed.expired_time === -1 ? 0 : billed.expired_time,
    },
  }
}

type Shown = { readonly given: number; readonly used: number; readonly access_until: number }

async function read({ db, options }: Deps, c: Context): Promise<Shown> {
  const { DisplayTokenStatEnabled, DisplayInCurrencyEnabled, QuotaPerUnit } = await options.all()
  const billed = await findBilled(db, keyHashOf(c))
  if (billed === undefined) throw new AppError('record.missing')
  const { given, used } = accountOf(billed, DisplayTokenStatEnabled)
  const shown = (quota: number): number => (DisplayInCurrencyEnabled ? quota / QuotaPerUnit : quota)
  return {
    given: given === undefined ? UNLIMITED : shown(given),
    used: shown(used),
    access_until: billed.expired_time === -1 ? 0 : billed.expired_time,
  }
}

/** The user's account, or the token's; an unlimited token has no limit of its own and shows what its user spent. */
function accountOf(billed: Billed, showsToken: boolean): { given: number | undefined; used: number } {
  const { credited, spent, refunded, token_refunded, granted, charged } = billed
  if (!showsToken) return { given: credited - refunded, used: spent - refunded }
  return billed.unlimited_quota
    ? { given: undefined, used: spent - refunded }
    : { given: granted - token_refunded, used: charged - token_refunded }
}
