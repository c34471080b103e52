import { forecastRoute } from './forecast-route.ts'
import { previewCall } from './preview-call.ts'
import { applyPriceChanges } from './apply-price-changes.ts'
import { clearLogs } from './clear-logs.ts'
import { compareInvoice } from './compare-invoice.ts'
import { evictIdle } from './evict-idle.ts'
import { checkSpendAlerts } from './check-spend-alerts.ts'
import { rollupUsage } from './rollup-usage.ts'
import type { PayloadOf, ResultOf } from './job.ts'
import { partitionUpkeep } from './partition-upkeep.ts'
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

/** Every background job. The worker has one handler for each name. */
export const jobs = {
  'post-usage': postUsage,
  'reap-holds': reapHolds,
  'test-channel': testChannel,
  'forecast-route': forecastRoute,
  'preview-call': previewCall,
  'retest-channels': retestChannels,
  'renew-channel-keys': renewChannelKeys,
  'run-channels': runChannels,
  'schedule-channel-runs': scheduleChannelRuns,
  'update-balance': updateBalance,
  'partition-upkeep': partitionUpkeep,
  'evict-idle': evictIdle,
  'rollup-usage': rollupUsage,
  'clear-logs': clearLogs,
  'search-archive': searchArchive,
  'measure-costs': measureCosts,
  'replay-prices': replayPrices,
  'replay-requests': replayRequests,
  'compare-invoice': compareInvoice,
  'apply-price-changes': applyPriceChanges,
  'refresh-prices': refreshPrices,
  'send-mails': sendMails,
  'send-webhooks': sendWebhooks,
  'send-events': sendEvents,
  'send-test-mail': sendTestMail,
  'reconcile-payments': reconcilePayments,
  'poll-tasks': pollTasks,
  'check-spend-alerts': checkSpendAlerts,
  'send-weekly-reports': sendWeeklyReports,
  'verify-ledger': verifyLedger,
} as const

export type Jobs = typeof jobs
export type JobName = keyof Jobs
export type JobPayload<Name extends JobName> = PayloadOf<Jobs[Name]>
export type JobResult<Name extends JobName> = ResultOf<Jobs[Name]>

/** `signal` aborts at the job's timeout or when the worker stops. */
export type JobContext = { readonly signal: AbortSignal; readonly attempt: number }
export type Handler<Name extends JobName> = (payload: JobPayload<Name>, context: JobContext) => Promise<JobResult<Name>>
export type Handlers = { readonly [Name in JobName]: Handler<Name> }
