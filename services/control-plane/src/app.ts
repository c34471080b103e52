import { endpoints } from '@tollgate/contracts/endpoints'
import { hasRight, isEmergency } from '@tollgate/domain/access/rights'
import { bindAll } from '@tollgate/http/bind-all'
import type { Binding } from '@tollgate/http/handle'
import { bindHealth, type HealthState } from '@tollgate/http/health'
import { securityHeaders } from '@tollgate/http/security-headers'
import { renderUnknownPath } from '@tollgate/http/unknown-path'
import { noTelemetry, type Telemetry } from '@tollgate/telemetry/otel'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { readClient } from './client.ts'
import { consoleFiles } from './console-files.ts'
import { docsFiles } from './docs-files.ts'
import type { Deps } from './deps.ts'
import { pageSources } from './page-sources.ts'
import { createOwnHosts, hostCheck } from './host-check.ts'
import { createHumanCheck } from './human-check.ts'
import { createLimits } from './limits.ts'
import { createObserver } from './observe.ts'
import { createSetupGuard, createSetupState } from './resources/setup/guard.ts'
import { auditRoutes } from './resources/audit/routes.ts'
import { budgetRoutes } from './resources/budgets/routes.ts'
import { channelBatchRoutes, channelFileRoutes, channelKeyRoutes, channelRoutes } from './resources/channels/routes.ts'
import { configRoutes } from './resources/config/routes.ts'
import { dashboardRoutes } from './resources/dashboard/routes.ts'
import { deliveryRoutes } from './resources/deliveries/routes.ts'
import { webhookEndpointRoutes } from './resources/webhook-endpoints/routes.ts'
import { groupRoutes } from './resources/groups/routes.ts'
import { healthRoutes } from './resources/health/routes.ts'
import { ledgerRoutes } from './resources/ledger/routes.ts'
import { billingRoutes } from './resources/billing/routes.ts'
import { exportRoutes } from './resources/exports/routes.ts'
import { logRoutes } from './resources/logs/routes.ts'
import { modelRoutes } from './resources/models/routes.ts'
import { oauthRoutes } from './resources/oauth/routes.ts'
import { organisationRoutes } from './resources/organisations/routes.ts'
import { optionRoutes } from './resources/options/routes.ts'
import { paymentRoutes } from './resources/payments/routes.ts'
import { playgroundRoutes } from './resources/playground/routes.ts'
import { limitRoutes } from './resources/limits/routes.ts'
import { priceRoutes } from './resources/prices/routes.ts'
import { pricingRoutes } from './resources/pricing/routes.ts'
import { receiptRoutes } from './resources/receipts/routes.ts'
import { registrationRoutes } from './resources/registration/routes.ts'
import { redemptionRoutes } from './resources/redemptions/routes.ts'
import { createScimApp } from './resources/provisioning/app.ts'
import { SCIM_PATH } from './resources/provisioning/path.ts'
import { scimRoutes } from './resources/provisioning/routes.ts'
import { selfRoutes } from './resources/self/routes.ts'
import { sessionRoutes } from './resources/sessions/routes.ts'
import { setupRoutes } from './resources/setup/routes.ts'
import { signInRoutes } from './resources/sign-in/routes.ts'
import { importRoutes } from './moving-in/routes.ts'
import { statementRoutes } from './resources/statements/routes.ts'
import { statusIncidentRoutes } from './resources/status-page/routes.ts'
import { statusRoutes } from './resources/status/routes.ts'
import { taskRoutes } from './resources/tasks/routes.ts'
import { tokenRoutes } from './resources/tokens/routes.ts'
import { twoFactorRoutes } from './resources/two-factor/routes.ts'
import { userRoutes } from './resources/users/routes.ts'
import { invoiceRoutes } from './resources/invoices/routes.ts'
import { whatIfRoutes } from './resources/what-if/routes.ts'
import { limitHeavyReads } from './heavy-reads.ts'
import { createReadRouting } from './with-read-snapshot.ts'
import { isHttps } from './authentication/cookie-sessions.ts'
import { createAuthenticate } from './authentication/authenticate.ts'

/** The bindings of all resources; an endpoint that is missing here answers a failure. */
export function allRoutes(deps: Deps): Binding[] {
  return [
    setupRoutes,
    statusRoutes,
    signInRoutes,
    registrationRoutes,
    deliveryRoutes,
    webhookEndpointRoutes,
    statusIncidentRoutes,
    selfRoutes,
    sessionRoutes,
    oauthRoutes,
    twoFactorRoutes,
    userRoutes,
    groupRoutes,
    budgetRoutes,
    organisationRoutes,
    scimRoutes,
    receiptRoutes,
    modelRoutes,
    optionRoutes,
    configRoutes,
    paymentRoutes,
    playgroundRoutes,
    limitRoutes,
    priceRoutes,
    pricingRoutes,
    whatIfRoutes,
    invoiceRoutes,
    channelRoutes,
    channelKeyRoutes,
    channelBatchRoutes,
    channelFileRoutes,
    tokenRoutes,
    redemptionRoutes,
    statementRoutes,
    logRoutes,
    taskRoutes,
    exportRoutes,
    importRoutes,
    billingRoutes,
    dashboardRoutes,
    ledgerRoutes,
    healthRoutes,
    auditRoutes,
  ].flatMap((routes) => routes(deps))
}

/** The public app: `/api`, health probes, the built documentation and the built console. */
export function createApp(deps: Deps, health: HealthState, telemetry: Telemetry = noTelemetry): Hono {
  const app = new Hono()
  app.use(securityHeaders({ sources: () => pageSources(deps), isHttps: () => isHttps(deps).catch(() => false) }))
  app.use('/api/*', compress())
  bindHealth(app, health)
  const isSetUp = createSetupState(deps)
  const hosts = createOwnHosts(deps)
  app.use(hostCheck(deps, isSetUp, hosts))
  bindAll(app, allRoutes(deps), {
    endpoints,
    now: deps.now,
    clientIp: (c) => readClient(deps, c).ip,
    isOwnOrigin: hosts.isOwnOrigin,
    limit: createLimits(deps),
    guard: createSetupGuard(isSetUp),
    authenticate: createAuthenticate(deps),
    hasRight,
    isEmergency,
    humanCheck: createHumanCheck(deps),
    turn: limitHeavyReads(deps),
    around: createReadRouting(deps),
    watch: createObserver(deps, telemetry),
  })
  app.route(SCIM_PATH, createScimApp(deps))
  for (const path of ['/api', '/api/*', '/v1/*', '/pg/*', '/internal/*', '/scim/*']) app.all(path, renderUnknownPath)
  for (const path of ['/docs', '/docs/*']) app.all(path, docsFiles(deps.env.DOCS_DIR))
  app.all('*', consoleFiles(deps.env.CONSOLE_DIR))
  return app
}
