import { accessErrors } from './errors/access.ts'
import { channelFaultsErrors } from './errors/channel-faults.ts'
import { channelsErrors } from './errors/channels.ts'
import { configErrors } from './errors/config.ts'
import { guardErrors } from './errors/guard.ts'
import { healthErrors } from './errors/health.ts'
import { importsErrors } from './errors/imports.ts'
import { invoicesErrors } from './errors/invoices.ts'
import { ledgerErrors } from './errors/ledger.ts'
import { logsErrors } from './errors/logs.ts'
import { modelsErrors } from './errors/models.ts'
import { oauthErrors } from './errors/oauth.ts'
import { organisationsErrors } from './errors/organisations.ts'
import { optionsErrors } from './errors/options.ts'
import { paymentsErrors } from './errors/payments.ts'
import { playgroundErrors } from './errors/playground.ts'
import { quotaErrors } from './errors/quota.ts'
import { rateLimitsErrors } from './errors/rate-limits.ts'
import { receiptsErrors } from './errors/receipts.ts'
import { redemptionsErrors } from './errors/redemptions.ts'
import { registrationErrors } from './errors/registration.ts'
import { requestsErrors } from './errors/requests.ts'
import { responsesErrors } from './errors/responses.ts'
import { selfErrors } from './errors/self.ts'
import { setupErrors } from './errors/setup.ts'
import { signInErrors } from './errors/sign-in.ts'
import { statusErrors } from './errors/status.ts'
import { batchesErrors } from './errors/batches.ts'
import { budgetChangesErrors, budgetsErrors } from './errors/budgets.ts'
import { tasksErrors } from './errors/tasks.ts'
import { tokensErrors } from './errors/tokens.ts'
import { upstreamErrors } from './errors/upstream.ts'
import { usersErrors } from './errors/users.ts'
import { webhooksErrors } from './errors/webhooks.ts'

/** Every error that a client can get. */
export const errors = {
  ...accessErrors,
  ...rateLimitsErrors,
  ...requestsErrors,
  ...modelsErrors,
  ...responsesErrors,
  ...batchesErrors,
  ...tasksErrors,
  ...quotaErrors,
  ...budgetsErrors,
  ...budgetChangesErrors,
  ...healthErrors,
  ...ledgerErrors,
  ...upstreamErrors,
  ...guardErrors,
  ...setupErrors,
  ...importsErrors,
  ...invoicesErrors,
  ...signInErrors,
  ...registrationErrors,
  ...oauthErrors,
  ...selfErrors,
  ...usersErrors,
  ...webhooksErrors,
  ...organisationsErrors,
  ...tokensErrors,
  ...channelsErrors,
  ...channelFaultsErrors,
  ...optionsErrors,
  ...configErrors,
  ...logsErrors,
  ...receiptsErrors,
  ...redemptionsErrors,
  ...paymentsErrors,
  ...playgroundErrors,
  ...statusErrors,
} as const

export type ErrorCode = keyof typeof errors
