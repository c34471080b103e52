import { AppError } from '@tollgate/contracts/app-error'
import type { AccountView } from '@tollgate/ledger/accounts/account-view'
import type { RelayDeps } from '../../deps.ts'
import { prepareRefusal } from '../../response/refuse.ts'
import type { RequestContext } from '../../request/context.ts'
import { answerJson } from '../models.ts'
import { hundredths } from '@tollgate/domain/pricing/format'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'

type Viewed = { readonly view: AccountView; readonly deps: RelayDeps; readonly expired_time: number }

/** The limit shown for an unlimited token, as the specification defines it. */
const UNLIMITED = 100_000_000

/** GET /dashboard/billing/subscription: the granted quota. Old OpenAI clients call it. */
export function answerSubscription(context: RequestContext, deps: RelayDeps): Promise<void> {
  return answerBilling(context, deps, ({ view, expired_time }) => {
    const account = accountOf(view, deps)
    const limit = account === undefined ? UNLIMITED : toDisplayed(account.given, deps)
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: expired_time === -1 ? 0 : expired_time,
    }
  })
}

/** GET /dashboard/billing/usage: the used quota, in hundredths. */
export function answerUsage(context: RequestContext, deps: RelayDeps): Promise<void> {
  return answerBilling(context, deps, ({ view }) => {
    const { used } = accountOf(view, deps) ?? view.wallet
    return { object: 'list', total_usage: hundredths(toDisplayed(used, deps)) }
  })
}

/** The account to show: the user's, or with `shows_token_stat` the token's, which is undefined for an unlimited token. */
function accountOf({ token, wallet }: AccountView, { config }: RelayDeps): AccountView['token'] {
  return config.settings.shows_token_stat ? token : wallet
}

function toDisplayed(quota: number, { config: { settings } }: RelayDeps): number {
  return settings.display_in_currency ? quota / settings.quota_per_unit : quota
}

/** A wrong key is refused with its usual status; later errors are sent with status 200, as these clients expect. */
async function answerBilling(context: RequestContext, deps: RelayDeps, answer: (viewed: Viewed) => object): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  try {
    answerJson(context, answer({ view: await deps.accounts.get(record), deps, expired_time: record.expired_time }))
  } catch (error) {
    const cause = error instanceof AppError ? error : new AppError('ledger.unavailable', {}, { cause: error })
    const body = context.clientApi.renderError(prepareRefusal(context, cause, deps.log).error)
    context.reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, body)
  }
}
