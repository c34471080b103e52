import type { Handlers } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { applyPriceChanges } from './apply-price-changes.ts'
import { checkSpendAlerts } from './check-spend-alerts.ts'
import { clearLogs } from './clear-logs.ts'
import { evictIdle } from './evict-idle.ts'
import { forecastRoute } from './forecast-route.ts'
import { rollupUsage } from './rollup-usage.ts'
import { partitionUpkeep } from './partition-upkeep.ts'
import { previewCall } from './preview-call.ts'
import { pollTasks } from './poll-tasks.ts'
import { postUsage } from './post-usage.ts'
import { reapHolds } from './reap-holds.ts'
import { reconcilePayments } from './reconcile-payments.ts'
import { runChannels } from './run-channels.ts'
import { scheduleChannelRuns } from './schedule-channel-runs.ts'
import { updateBalance } from './update-balance.ts'
import { searchArchive } from './search-archive.ts'
import { refreshPrices } from './refresh-prices.ts'
import { measureCosts } from './measure-costs.ts'
import { replayPrices } from './replay-prices.ts'
import { compareInvoice } from './compare-invoice.ts'
import { replayRequests } from './replay-requests.ts'
import { renewChannelKeys } from './renew-channel-keys.ts'
import { retestChannels } from './retest-channels.ts'
import { sendEvents } from './send-events.ts'
import { sendMails } from './send-mails.ts'
import { sendTestMail } from './send-test-mail.ts'
import { sendWebhooks } from './send-webhooks.ts'
import { sendWeeklyReports } from './send-weekly-reports.ts'
import { testChannel } from './test-channel.ts'
import { verifyLedger } from './verify-ledger.ts'

/** One handler per declared job; a missing one does not compile. */
export const createHandlers = (deps: Deps) =>
  ({
    'post-usage': postUsage(deps),
    'reap-holds': reapHolds(deps),
    'test-channel': testChannel(deps),
    'forecast-route': forecastRoute(deps),
    'preview-call': previewCall(),
    'retest-channels': retestChannels(deps),
    'renew-channel-keys': renewChannelKeys(deps),
    'run-channels': runChannels(deps),
    'schedule-channel-runs': scheduleChannelRuns(deps),
    'update-balance': updateBalance(deps),
    'partition-upkeep': partitionUpkeep(deps),
    'evict-idle': evictIdle(deps),
    'rollup-usage': rollupUsage(deps),
    'clear-logs': clearLogs(deps),
    'search-archive': searchArchive(deps),
    'measure-costs': measureCosts(deps),
    'replay-prices': replayPrices(deps),
    'replay-requests': replayRequests(deps),
    'compare-invoice': compareInvoice(deps),
    'apply-price-changes': applyPriceChanges(deps),
    'refresh-prices': refreshPrices(deps),
    'send-mails': sendMails(deps),
    'send-webhooks': sendWebhooks(deps),
    'send-events': sendEvents(deps),
    'send-test-mail': sendTestMail(deps),
    'reconcile-payments': reconcilePayments(deps),
    'poll-tasks': pollTasks(deps),
    'check-spend-alerts': checkSpendAlerts(deps),
    'send-weekly-reports': sendWeeklyReports(deps),
    'verify-ledger': verifyLedger(deps),
  }) satisfies Handlers
