import { AppError } from '@tollgate/contracts/app-error'
import type { Accounts } from '../control-plane/accounts.ts'
import { requireBudgets } from '../limits/require-budgets.ts'
import { refuseTooLong } from '../limits/request-limits.ts'
import type { Parsed } from '../request/phases.ts'
import type { RelayDeps } from '../deps.ts'
import { admit } from './admit.ts'
import { quote } from './quote.ts'
import { toShortError } from './reserve.ts'

type Deps = Pick<RelayDeps, 'config' | 'health' | 'random' | 'sample_seed' | 'heartbeat'> & {
  readonly accounts: Pick<Accounts, 'balances' | 'budgets'>
}

/**
 * Refuses a request that runs later for what it would be refused for now: model, group, channels, length, and a wallet, token or budget
 * without its least hold. It takes neither a hold nor a place in limits; the request itself does.
 */
export async function requireHold({ context, caller, request }: Parsed, deps: Deps): Promise<void> {
  context.refusal.identified(caller.record)
  context.refusal.parsed(request.chat)
  const admission = admit(context, { caller, request }, deps)
  const costEstimate = quote(context, { caller, request, admission }, deps)
  refuseTooLong(admission.limits, costEstimate.prompt_tokens)
  if (costEstimate.least === 0) return
  const view = await deps.accounts.balances(caller.record).catch(unavailable)
  const refuse = (kind: 'user-short' | 'token-short', spendable: number) =>
    toShortError({ kind, spendable, held: 0, open: 0 }, costEstimate, deps.config.settings)
  const left = view.wallet.given - view.wallet.used
  if (left < costEstimate.least) throw refuse('user-short', left)
  const granted = view.token === undefined ? Infinity : view.token.given - view.token.used
  if (granted < costEstimate.least) throw refuse('token-short', granted)
  await requireBudgets(context, { record: caller.record, rules: admission.budgets, least: costEstimate.least }, deps).catch(unavailable)
}

function unavailable(cause: unknown): never {
  throw cause instanceof AppError ? cause : new AppError('ledger.unavailable', {}, { cause })
}
