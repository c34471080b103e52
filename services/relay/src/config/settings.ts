import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import { parseStatusRanges } from '@tollgate/contracts/options/status-ranges'
import { buildWordSearch } from '@tollgate/domain/access/sensitive'
import type { TaskSettings } from '@tollgate/providers/tasks/task-family'
import { readCallPolicy, readConversionSettings } from './conversion-settings.ts'

const QUOTA_STATUS = { format: 'by-format', 403: 403, 429: 429 } as const

type Stored = ReadonlyMap<string, string>

/** The options that the relay uses, parsed once per change. */
export type Settings = Readonly<ReturnType<typeof readSettings>>

/**
 * Parses stored option texts; an absent or unreadable option has its default. The snapshot contains the options that declare the relay as
 * a reader, and a test compares the two.
 */
export function readSettings(stored: Stored) {
  const read: Read = (key) => readOption(key, stored.get(key))
  const isSensitiveOn = read('CheckSensitiveEnabled') && read('CheckSensitiveOnPromptEnabled')
  return {
    ...readRouting(read),
    ...readMoney(read),
    ...readLimits(read),
    /** Limits for reading streams whose clients disconnected: per stream, and streams at once per channel. */
    drain: {
      seconds: read('ClientDisconnectDrainSeconds'),
      bytes: read('ClientDisconnectDrainBytes'),
      per_channel: read('ClientDisconnectDrains'),
    },
    /** Undefined: prompts are not searched. */
    sensitive: isSensitiveOn ? buildWordSearch(read('SensitiveWords')) : undefined,
    auto_disable: {
      is_enabled: read('AutomaticDisableChannelEnabled'),
      keywords: read('AutomaticDisableKeywords'),
      statuses: parseStatusRanges(read('AutomaticDisableStatusCodes')) ?? [],
    },
    /** Options `WorkerUrl`, `WorkerValidKey` (sealed) and `WorkerAllowHttpImageRequestEnabled`; an empty URL disables the proxy. */
    media_proxy: {
      url: read('WorkerUrl'),
      key_sealed: stored.get('WorkerValidKey') ?? '',
      allows_http: read('WorkerAllowHttpImageRequestEnabled'),
    },
    ...readConversion(read),
    /** Limits for keeping answers that later requests can refer to; `ttl_s` 0 keeps none. */
    response_state: {
      ttl_s: read('ResponseStateTtl'),
      max_bytes: read('ResponseStateMaxSize') * 1024,
      user_bytes: read('ResponseStateUserSize') * 1024,
    },
    /** Language of errors for clients that ask for none. */
    error_language: read('ErrorLanguage') === 'zh' ? ('zh' as const) : ('en' as const),
    /** Status of a refusal because the client's own quota is used up. */
    quota_error_status: QUOTA_STATUS[read('QuotaErrorStatus')],
    /** Where users pay; empty: nowhere. */
    top_up_link: read('TopUpLink'),
    /** Refused requests of a token that get a log row in a minute; undefined: they are neither listed nor counted. */
    refused_per_minute: read('LogRefusedEnabled') ? read('LogRefusedPerMinute') : undefined,
    /** Spans have the prompts and answers of tokens that ask for it. */
    traces_content: read('TelemetryContentEnabled'),
    /** Submissions of drawings; `address`: this site's own, without a slash at its end. */
    drawing: readDrawing(read),
    /** Milliseconds of silence before a ping; undefined: no pings. */
    ping_ms: read('general_setting.ping_interval_enabled') ? read('general_setting.ping_interval_seconds') * 1000 : undefined,
  }
}

const chainsOf = (chains: OptionValues['ModelFallbacks']) => (Object.keys(chains).length === 0 ? undefined : chains)

type Read = <K extends OptionKey>(key: K) => OptionValues[K]

function readRouting(read: Read) {
  return {
    retry_times: read('RetryTimes'),
    retry_statuses: parseStatusRanges(read('AutomaticRetryStatusCodes')) ?? [],
    retry_budget_ms: read('RetryTimeBudget') * 1000,
    /** Requests of one conversation go to the same channel. */
    is_affine: read('ChannelAffinityEnabled'),
    affinity_rules: read('ChannelAffinityRules'),
    /** The groups that tokens of the group `auto` try in order. */
    auto_groups: read('AutoGroups'),
    strategies: read('RoutingStrategies'),
    /** Chains of models; undefined: there are none. */
    fallbacks: chainsOf(read('ModelFallbacks')),
    takes_client_chains: read('ClientFallbackModels'),
    has_exact_weights: read('ExactChannelWeights'),
  }
}

function readMoney(read: Read) {
  return {
    quota_per_unit: read('QuotaPerUnit'),
    display_in_currency: read('DisplayInCurrencyEnabled'),
    /** `/dashboard/billing` shows the token's quota instead of the user's. */
    shows_token_stat: read('DisplayTokenStatEnabled'),
    is_self_use: read('SelfUseModeEnabled'),
    is_output_price_required: read('OutputPriceRequired'),
    pre_consumed_quota: read('PreConsumedQuota'),
    hold_output_tokens: read('HoldOutputTokens'),
    /** US dollars per 1 000 calls of the vendors' own tools. */
    tool_prices: read('tool_price_setting.prices'),
    video_units: read('video_price_setting.units'),
  }
}

function readLimits(read: Read) {
  return {
    limits: {
      is_enabled: read('ModelRequestRateLimitEnabled'),
      duration_minutes: read('ModelRequestRateLimitDurationMinutes'),
      count: read('ModelRequestRateLimitCount'),
      success_count: read('ModelRequestRateLimitSuccessCount'),
      by_group: read('ModelRequestRateLimitGroup'),
    },
    /** Limits of groups and models, by name. */
    shared_limits: read('RateLimits'),
  }
}

function readConversion(read: Read) {
  return {
    conversion: readConversionSettings({
      'claude.default_max_tokens': read('claude.default_max_tokens'),
      'gemini.safety_settings': read('gemini.safety_settings'),
      'gemini.supported_imagine_models': read('gemini.supported_imagine_models'),
    }),
    calls: readCallPolicy({
      'claude.default_max_tokens': read('claude.default_max_tokens'),
      'claude.model_headers_settings': read('claude.model_headers_settings'),
      'claude.thinking_adapter_enabled': read('claude.thinking_adapter_enabled'),
      'claude.thinking_adapter_budget_tokens_percentage': read('claude.thinking_adapter_budget_tokens_percentage'),
      'gemini.thinking_adapter_enabled': read('gemini.thinking_adapter_enabled'),
      'gemini.thinking_adapter_budget_tokens_percentage': read('gemini.thinking_adapter_budget_tokens_percentage'),
      'gemini.version_settings': read('gemini.version_settings'),
      'global.pass_through_request_enabled': read('global.pass_through_request_enabled'),
      AnswerWithUpstreamModel: read('AnswerWithUpstreamModel'),
    }),
  }
}

type Drawing = TaskSettings & { readonly forwards_urls: boolean; readonly checks_success: boolean; readonly address: string }

function readDrawing(read: Read): Drawing {
  return {
    notifies: read('MjNotifyEnabled'),
    filters_accounts: read('MjAccountFilterEnabled'),
    clears_modes: read('MjModeClearEnabled'),
    forwards_urls: read('MjForwardUrlEnabled'),
    checks_success: read('MjActionCheckSuccessEnabled'),
    address: read('ServerAddress'),
  }
}
