import { z } from 'zod'
import { DRAIN_SECONDS } from '../relay/client-disconnected.ts'
import { SharedLimits } from '../relay/limits.ts'
import { AffinityRule } from '../channels/affinity-rules.ts'
import { findLoop, MAX_FALLBACKS } from '../relay/model-fallbacks.ts'
import { ROUTING_STRATEGIES } from '../relay/routing-strategies.ts'
import { option, type Decoded } from './option.ts'
import { checkStatusRanges } from './status-ranges.ts'

const DISABLE_KEYWORDS = [
  'Your credit balance is too low',
  'This organization has been disabled.',
  'You exceeded your current quota',
  'Permission denied',
  'The security token included in the request is invalid',
  'Operation not allowed',
  'Your account is not authorized',
]

const GroupLimits = z.record(z.string(), z.tuple([z.int().min(0), z.int().min(1)]))

const ModelName = z.string().trim().min(1).max(255)
const FallbackChains = z.record(z.string(), z.record(z.string(), z.array(ModelName).max(MAX_FALLBACKS)))
type FallbackChains = z.infer<typeof FallbackChains>

/** A chain that comes back to a model has an error in it: chains are not followed from one model to another's. */
function checkChains(value: FallbackChains): Decoded<FallbackChains> {
  for (const chains of Object.values(value))
    for (const [model, chain] of Object.entries(chains)) {
      const again = findLoop(model, chain)
      if (again !== undefined) return { kind: 'refused', code: 'option.fallback-loop', params: { model, again } }
    }
  return { kind: 'ok', value }
}

/** Retries, channel health, limits, sensitive words, logs, dashboard, drawing. */
export const operationOptions = {
  RetryTimes: option.int({ default: 0, min: 0, max: 20, readBy: ['relay', 'worker'] }),
  /** Upstream statuses after which another channel is tried. A 400 from Anthropic is always retried. */
  AutomaticRetryStatusCodes: option.text({
    default: '100-199,300-399,401-407,409-499,500-503,505-523,525-599',
    check: checkStatusRanges,
    readBy: ['relay'],
  }),
  /** Upstream statuses that disable a channel, or one of its keys. */
  AutomaticDisableStatusCodes: option.text({ default: '401', check: checkStatusRanges, readBy: ['relay', 'worker'] }),
  /** Time limit for all attempts of a request: no attempt starts later, and none waits longer for its first byte. */
  RetryTimeBudget: option.int({ default: 600, min: 1, unit: 'seconds', readBy: ['relay'] }),
  /** Time and bytes for which a stream is read on after its client disconnected, up to the usage; a channel's `drain_seconds` comes first. */
  ClientDisconnectDrainSeconds: option.int({
    default: DRAIN_SECONDS.default,
    min: DRAIN_SECONDS.min,
    max: DRAIN_SECONDS.max,
    unit: 'seconds',
    readBy: ['relay'],
  }),
  ClientDisconnectDrainBytes: option.int({ default: 16_777_216, min: 0, unit: 'bytes', readBy: ['relay'] }),
  /** Answers of one channel that a relay process reads on at the same time. */
  ClientDisconnectDrains: option.int({ default: 100, min: 0, max: 100_000, readBy: ['relay'] }),
  /** Keeps a conversation on one channel and key while they are healthy, for the vendor's prompt cache. */
  ChannelAffinityEnabled: option.flag({ default: true, readBy: ['relay', 'worker'] }),
  /** Ours: what names a conversation, by model and path, before the fields that clients use for it. */
  ChannelAffinityRules: option.json(z.array(AffinityRule).max(50), { default: [], readBy: ['relay'] }),
  /** Ours: what decides between channels of one priority, by group; `*` is every other group. */
  RoutingStrategies: option.json(z.record(z.string(), z.enum(ROUTING_STRATEGIES)), { default: {}, readBy: ['relay', 'worker'] }),
  /** Ours: models that answer in place of one that no channel can serve, by group and requested model; `*` is every other. */
  ModelFallbacks: option.json(FallbackChains, { default: {}, check: checkChains, readBy: ['relay', 'worker'] }),
  /** Ours: a request may name its own chain in `models`, as OpenRouter's clients do. */
  ClientFallbackModels: option.flag({ default: false, readBy: ['relay'] }),
  /** Ours: weights of channels count as they are, and 0 is a reserve; otherwise every weight counts for 10 more. */
  ExactChannelWeights: option.flag({ default: false, readBy: ['relay', 'worker'] }),
  /** A channel whose test takes more seconds is disabled; 0: no limit. */
  ChannelDisableThreshold: option.number({ default: 5, min: 0, unit: 'seconds', readBy: ['worker'] }),
  AutomaticDisableChannelEnabled: option.flag({ default: false, readBy: ['relay', 'worker'] }),
  AutomaticEnableChannelEnabled: option.flag({ default: false, readBy: ['worker'] }),
  /** Interval between tests of channels and keys that were disabled automatically. */
  AutomaticEnableInterval: option.int({ default: 300, min: 5, unit: 'seconds', readBy: ['worker'] }),
  /** Ours: tests all channels this often; 0: never. */
  ChannelTestInterval: option.int({ default: 0, min: 0, max: 10_080, unit: 'minutes', readBy: ['worker'] }),
  /** Ours: reads the balances of all enabled channels this often; 0: never. */
  ChannelBalanceInterval: option.int({ default: 0, min: 0, max: 10_080, unit: 'minutes', readBy: ['worker'] }),
  /** Ours: compares the models of all enabled channels with those that their vendors list this often; 0: never. */
  ChannelModelsInterval: option.int({ default: 0, min: 0, max: 43_200, unit: 'minutes', readBy: ['worker'] }),
  /** Ours: a channel's balance below this, in the vendor's currency, is low; root is notified when it falls below. */
  ChannelLowBalance: option.number({ default: 1, min: 0, readBy: ['worker', 'control-plane'] }),
  AutomaticDisableKeywords: option.lines({ default: DISABLE_KEYWORDS, readBy: ['relay', 'worker'] }),
  /** Ours: language of errors on the model routes for clients whose `Accept-Language` asks for neither. */
  ErrorLanguage: option.choice(['en', 'zh'], { default: 'en', readBy: ['relay'] }),
  /** Ours: status when the client's own quota is used up; `format` takes the one that clients of a format understand, `429` is OpenAI's `insufficient_quota`. */
  QuotaErrorStatus: option.choice(['format', '403', '429'], { default: 'format', readBy: ['relay'] }),
  ModelRequestRateLimitEnabled: option.flag({ default: false, readBy: ['relay'] }),
  /** 0: no limit. */
  ModelRequestRateLimitDurationMinutes: option.int({ default: 1, min: 0, max: 525_600, unit: 'minutes', readBy: ['relay'] }),
  /** All requests in a window; 0: no limit. */
  ModelRequestRateLimitCount: option.int({ default: 0, min: 0, max: 1_000_000_000, isClamped: true, readBy: ['relay'] }),
  ModelRequestRateLimitSuccessCount: option.int({ default: 1000, min: 1, max: 1_000_000_000, readBy: ['relay'] }),
  /** Limits for all and for successful requests in a window, by group; they replace the two numbers above. */
  ModelRequestRateLimitGroup: option.json(GroupLimits, { default: {}, readBy: ['relay'] }),
  /** Ours: requests and tokens per minute and open requests, shared by all requests of a group or for a model. */
  RateLimits: option.json(SharedLimits, { default: {}, readBy: ['relay'] }),
  /** Ours: how long an answer of the Responses API can be referred to after its last use; 0: nothing is kept. */
  ResponseStateTtl: option.int({ default: 86_400, min: 0, max: 2_592_000, unit: 'seconds', readBy: ['relay'] }),
  /** Ours: what is kept of one answer and its input, and of all turns that one request refers to. */
  ResponseStateMaxSize: option.int({ default: 4096, min: 1, max: 65_536, unit: 'KB', readBy: ['relay'] }),
  /** Ours: what is kept for one user; beyond it the oldest is removed. */
  ResponseStateUserSize: option.int({ default: 32_768, min: 1, max: 4_194_304, unit: 'KB', readBy: ['relay'] }),
  /** Ours: files, and bodies and answers of background responses, of one user. */
  StoredBytesPerUser: option.int({ default: 1024, min: 0, max: 1_048_576, unit: 'MB' }),
  /** Ours: the same of all users. */
  StoredBytesTotal: option.int({ default: 16_384, min: 0, max: 1_073_741_824, unit: 'MB' }),
  /** Ours: background responses of one user that have not ended. */
  BackgroundResponsesOpen: option.int({ default: 100, min: 0, max: 100_000 }),
  /** Ours: background responses of one user in every state. */
  BackgroundResponsesStored: option.int({ default: 1000, min: 0, max: 1_000_000 }),
  CheckSensitiveEnabled: option.flag({ default: true, readBy: ['relay'] }),
  CheckSensitiveOnPromptEnabled: option.flag({ default: true, readBy: ['relay'] }),
  StopOnSensitiveEnabled: option.flag({ default: true, withoutEffect: 'prompts-only' }),
  SensitiveWords: option.lines({ default: ['test_sensitive'], readBy: ['relay'] }),
  /** Accepted for old consoles; has no effect. */
  StreamCacheQueueLength: option.int({ default: 0, min: 0, withoutEffect: 'old-consoles' }),
  LogConsumeEnabled: option.flag({ default: true, readBy: ['worker'] }),
  /** Ours: requests of a known token that were refused before they cost anything are listed in the log. */
  LogRefusedEnabled: option.flag({ default: true, readBy: ['relay'] }),
  /** Ours: refused requests of one token listed in a minute; the others are only counted. */
  LogRefusedPerMinute: option.int({ default: 30, min: 0, max: 1000, readBy: ['relay', 'worker'] }),
  /** Ours: log entries older than so many days are deleted; 0: none. */
  LogRetentionDays: option.int({ default: 0, min: 0, max: 36_500, unit: 'days', readBy: ['worker'] }),
  /** Ours: full months of the log that stay in Postgres; older ones go to the object store. 0: all stay. */
  LogArchiveMonths: option.int({ default: 0, min: 0, max: 1200, unit: 'months', readBy: ['worker'] }),
  /** Ours: prompts and answers of tokens that ask for it are in the spans that relays send to the OpenTelemetry collector. */
  TelemetryContentEnabled: option.flag({ default: false, readBy: ['relay'] }),
  DataExportEnabled: option.flag({ default: true, publicAs: 'enable_data_export' }),
  DataExportInterval: option.int({ default: 5, min: 1, unit: 'minutes' }),
  DataExportDefaultTime: option.choice(['hour', 'day', 'week'], { default: 'hour', publicAs: 'data_export_default_time' }),
  DrawingEnabled: option.flag({ default: true, publicAs: 'enable_drawing' }),
  TaskEnabled: option.flag({ default: true, publicAs: 'enable_task' }),
  MjNotifyEnabled: option.flag({ default: false, publicAs: 'mj_notify_enabled', readBy: ['relay'] }),
  MjAccountFilterEnabled: option.flag({ default: false, readBy: ['relay'] }),
  MjModeClearEnabled: option.flag({ default: false, readBy: ['relay'] }),
  MjForwardUrlEnabled: option.flag({ default: true, readBy: ['control-plane', 'relay', 'worker'] }),
  MjActionCheckSuccessEnabled: option.flag({ default: true, readBy: ['relay'] }),
  /** The lowest role that may upload files for batches. */
  FileUploadPermission: option.int({ default: 0, min: 0, max: 100 }),
  /** Accepted for old consoles; have no effect. */
  FileDownloadPermission: option.int({ default: 0, withoutEffect: 'old-consoles' }),
  ImageUploadPermission: option.int({ default: 0, withoutEffect: 'old-consoles' }),
  ImageDownloadPermission: option.int({ default: 0, withoutEffect: 'old-consoles' }),
}
