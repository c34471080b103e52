import type { Endpoint } from './endpoint.ts'
import { audit } from './resources/audit.ts'
import { billing } from './resources/billing.ts'
import { budgets } from './resources/budgets.ts'
import { channelBatches } from './resources/channel-batches.ts'
import { channelFiles } from './resources/channel-files.ts'
import { channelKeys } from './resources/channel-keys.ts'
import { channels } from './resources/channels.ts'
import { config } from './resources/config.ts'
import { dashboard } from './resources/dashboard.ts'
import { deliveries } from './resources/deliveries.ts'
import { drawingTasks } from './resources/drawing-tasks.ts'
import { groups } from './resources/groups.ts'
import { health } from './resources/health.ts'
import { ledger } from './resources/ledger.ts'
import { csvExports } from './resources/exports.ts'
import { imports } from './resources/imports.ts'
import { archiveSearches } from './resources/archive-searches.ts'
import { logs } from './resources/logs.ts'
import { models } from './resources/models.ts'
import { oauth } from './resources/oauth.ts'
import { options } from './resources/options.ts'
import { organisation, organisations } from './resources/organisations.ts'
import { organisationAccess } from './resources/organisation-access.ts'
import { payments } from './resources/payments.ts'
import { playground } from './resources/playground.ts'
import { limits } from './resources/limits.ts'
import { prices } from './resources/prices.ts'
import { pricing } from './resources/pricing.ts'
import { receipts } from './resources/receipts.ts'
import { redemptions } from './resources/redemptions.ts'
import { registration } from './resources/registration.ts'
import { self } from './resources/self.ts'
import { sessions } from './resources/sessions.ts'
import { setup } from './resources/setup.ts'
import { signIn } from './resources/sign-in.ts'
import { spendAlerts } from './resources/spend-alerts.ts'
import { statusIncidents } from './resources/status-page.ts'
import { statements } from './resources/statements.ts'
import { status } from './resources/status.ts'
import { tasks } from './resources/tasks.ts'
import { tokens } from './resources/tokens.ts'
import { passkeys, twoFactor } from './resources/two-factor.ts'
import { userAccess } from './resources/user-access.ts'
import { users } from './resources/users.ts'
import { wallet } from './resources/wallet.ts'
import { vendorInvoices } from './resources/vendor-invoices.ts'
import { webhookEndpoints } from './resources/webhook-endpoints.ts'
import { whatIf } from './resources/what-if.ts'

/** Every call of the control plane by resource. */
export const resources = {
  setup,
  status,
  signIn,
  registration,
  oauth,
  self,
  deliveries,
  webhookEndpoints,
  statusIncidents,
  sessions,
  twoFactor,
  passkeys,
  users,
  userAccess,
  groups,
  budgets,
  organisations,
  organisation,
  organisationAccess,
  receipts,
  options,
  config,
  channels,
  channelKeys,
  channelBatches,
  channelFiles,
  models,
  tokens,
  redemptions,
  wallet,
  spendAlerts,
  statements,
  payments,
  ledger,
  health,
  audit,
  logs,
  archiveSearches,
  csvExports,
  imports,
  drawingTasks,
  tasks,
  limits,
  prices,
  pricing,
  whatIf,
  vendorInvoices,
  dashboard,
  playground,
  billing,
} as const

/** All endpoints as one list. */
export const endpoints: readonly Endpoint[] = Object.values(resources).flatMap((resource): Endpoint[] => Object.values(resource))
