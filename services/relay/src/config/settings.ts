import type { AffinityRule } from '@tollgate/contracts/affinity-rules'
import type { RoutingStrategy } from '@tollgate/contracts/routing-strategies'
import type { QuotaStatus } from '@tollgate/contracts/client-refusals'
import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import { parseStatusRanges, type StatusRange } from '@tollgate/contracts/options/status-ranges'
import { buildWordSearch, type WordSearch } from '@tollgate/domain/access/sensitive'
import type { ToolPrices } from '@tollgate/domain/pricing/tool-prices'
import type { ConversionSettings } from '@tollgate/providers/calls/operation'
import type { TaskSettings } from '@tollgate/providers/tasks/task-family'
import type { CallPolicy } from '@tollgate/upstream/policy'
import { readCallPolicy, readConversionSettings } from './conversion-settings.ts'
import type { VideoUnits } from '@tollgate/contracts/video-units'
import type { SharedLimits } from '@tollgate/contracts/limits'
import type { RequestLimits } from '@tollgate/domain/rate-limit/windows'

const QUOTA_STATUS = { format: 'by-format', 403: 403, 429: 429 } as const

/** The options that the relay uses, parsed once per change. */
export type Settings = {
  readonly retry_times: number
  readonly retry_statuses: readonly StatusRange[]
  readonly retry_budget_ms: number
  /** Requests of one conversation go to the same channel. */
  readonly is_affine: boolean
  readonly affinity_rules: readonly AffinityRule[]
  /** The groups that tokens of the group `auto` try in order. */
  readonly auto_groups: readonly string[]
  readonly strategies: Readonly<Record<string, RoutingStrategy>>
  readonly has_exact_weights: boolean
  readonly quota_per_unit: number
  readonly display_in_currency: boolean
  /** `/dashboard/billing` shows the token's quota instead of the user's. */
  readonly shows_token_stat: boolean
  readonly is_self_use: boolean
  readonly pre_consumed_quota: number
  readonly hold_output_tokens: number
  /** US dollars per 1 000 calls of the vendors' own tools. */
  readonly tool_prices: ToolPrices
  readonly video_units: VideoUnits
  /** Limits for reading streams whose clients disconnected: per stream, and streams at once per channel. */
  readonly drain: { readonly seconds: number; readonly bytes: number; readonly per_channel: number }
  readonly limits: RequestLimits
  /** Limits of groups and models, by name. */
  readonly shared_limits: SharedLimits
  /** Undefined: prompts are not searched. */
  readonly sensitive: WordSearch | undefined
  readonly auto_disable: { readonly is_enabled: boolean; readonly keywords: readonly string[]; readonly statuses: readonly StatusRange[] }
  readonly conversion: ConversionSettings
  /** Options `WorkerUrl`, `WorkerValidKey` (sealed) and `WorkerAllowHttpImageRequestEnabled`; an empty URL disables the proxy. */
  readonly media_proxy: { readonly url: string; readonly key_sealed: string; readonly allows_http: boolean }
  readonly calls: CallPolicy
  /** Limits for keeping answers that later requests can refer to; `ttl_s` 0 keeps none. */
  readonly response_state: { readonly ttl_s: number; readonly max_bytes: number; readonly user_bytes: number }
  /** Language of errors for clients that ask for none. */
  readonly error_language: 'en' | 'zh'
  /** Status of a refusal because the client's own quota is used up. */
  readonly quota_error_status: QuotaStatus
  /** Where users pay; empty: nowhere. */
  readonly top_up_link: string
  /** Refused requests of a token that get a log row in a minute; undefined: they are neither listed nor counted. */
  readonly refused_per_minute: number | undefined
  /** Submissions of drawings; `address`: this site's own, without a slash at its end. */
  readonly drawing: TaskSettings & { readonly forwards_urls: boolean; readonly checks_success: boolean; readonly address: string }
  /** Milliseconds of silence before a ping; undefined: no pings. */
  readonly ping_ms: number | undefined
}

/** The options that the relay reads; the snapshot must contain each of them. */
export const SETTINGS_KEYS = [
  'RetryTimes',
  'ErrorLanguage',
  'QuotaErrorStatus',
  'RetryTimeBudget',
  'AutomaticRetryStatusCodes',
  'AutomaticDisableStatusCodes',
  'ChannelAffinityEnabled',
  'ChannelAffinityRules',
  'ClientDisconnectDrainSeconds',
  'ClientDisconnectDrainBytes',
  'ClientDisconnectDrains',
  'AutoGroups',
  'RoutingStrategies',
  'ExactChannelWeights',
  'QuotaPerUnit',
  'DisplayInCurrencyEnabled',
  'DisplayTokenStatEnabled',
  'SelfUseModeEnabled',
  'PreConsumedQuota',
  'HoldOutputTokens',
  'tool_price_setting.prices',
  'video_price_setting.units',
  'ModelRequestRateLimitEnabled',
  'ModelRequestRateLimitDurationMinutes',
  'ModelRequestRateLimitCount',
  'ModelRequestRateLimitSuccessCount',
  'ModelRequestRateLimitGroup',
  'RateLimits',
  'CheckSensitiveEnabled',
  'CheckSensitiveOnPromptEnabled',
  'SensitiveWords',
  'AutomaticDisableChannelEnabled',
  'AutomaticDisableKeywords',
  'general_setting.ping_interval_enabled',
  'general_setting.ping_interval_seconds',
  'WorkerUrl',
  'WorkerValidKey',
  'WorkerAllowHttpImageRequestEnabled',
  'claude.default_max_tokens',
  'claude.model_headers_settings',
  'claude.thinking_adapter_enabled',
  'claude.thinking_adapter_budget_tokens_percentage',
  'gemini.thinking_adapter_enabled',
  'gemini.thinking_adapter_budget_tokens_percentage',
  'global.pass_through_request_enabled',
  'AnswerWithUpstreamModel',
  'gemini.safety_settings',
  'gemini.version_settings',
  'gemini.supported_imagine_models',
  'LogRefusedEnabled',
  'LogRefusedPerMinute',
  'ResponseStateTtl',
  'ResponseStateMaxSize',
  'ResponseStateUserSize',
  'MjNotifyEnabled',
  'MjAccountFilterEnabled',
  'MjModeClearEnabled',
  'MjForwardUrlEnabled',
  'MjActionCheckSuccessEnabled',
  'ServerAddress',
  'TopUpLink',
] as const satisfies readonly OptionKey[]
type RelayOptionKey = (typeof SETTINGS_KEYS)[number]

type Stored = ReadonlyMap<string, string>

/** Parses stored option texts; an absent or unreadable option has its default. */
export function readSettings(stored: Stored): Settings {
  const read: Read = (key) => readOption(key, stored.get(key))
  const isSensitiveOn = read('CheckSensitiveEnabled') && read('CheckSensitiveOnPromptEnabled')
  return {
    retry_times: read('RetryTimes'),
    retry_statuses: parseStatusRanges(read('AutomaticRetryStatusCodes')) ?? [],
    retry_budget_ms: read('RetryTimeBudget') * 1000,
    is_affine: read('ChannelAffinityEnabled'),
    affinity_rules: read('ChannelAffinityRules'),
    auto_groups: read('AutoGroups'),
    strategies: read('RoutingStrategies'),
    has_exact_weights: read('ExactChannelWeights'),
    quota_per_unit: read('QuotaPerUnit'),
    display_in_currency: read('DisplayInCurrencyEnabled'),
    shows_token_stat: read('DisplayTokenStatEnabled'),
    is_self_use: read('SelfUseModeEnabled'),
    pre_consumed_quota: read('PreConsumedQuota'),
    hold_output_tokens: read('HoldOutputTokens'),
    tool_prices: read('tool_price_setting.prices'),
    video_units: read('video_price_setting.units'),
    drain: {
      seconds: read('ClientDisconnectDrainSeconds'),
      bytes: read('ClientDisconnectDrainBytes'),
      per_channel: read('ClientDisconnectDrains'),
    },
    limits: {
      is_enabled: read('ModelRequestRateLimitEnabled'),
      duration_minutes: read('ModelRequestRateLimitDurationMinutes'),
      count: read('ModelRequestRateLimitCount'),
      success_count: read('ModelRequestRateLimitSuccessCount'),
      by_group: read('ModelRequestRateLimitGroup'),
    },
    shared_limits: read('RateLimits'),
    sensitive: isSensitiveOn ? buildWordSearch(read('SensitiveWords')) : undefined,
    auto_disable: {
      is_enabled: read('AutomaticDisableChannelEnabled'),
      keywords: read('AutomaticDisableKeywords'),
      statuses: parseStatusRanges(read('AutomaticDisableStatusCodes')) ?? [],
    },
    media_proxy: {
      url: read('WorkerUrl'),
      key_sealed: stored.get('WorkerValidKey') ?? '',
      allows_http: read('WorkerAllowHttpImageRequestEnabled'),
    },
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
    response_state: {
      ttl_s: read('ResponseStateTtl'),
      max_bytes: read('ResponseStateMaxSize') * 1024,
      user_bytes: read('ResponseStateUserSize') * 1024,
    },
    error_language: read('ErrorLanguage') === 'zh' ? 'zh' : 'en',
    quota_error_status: QUOTA_STATUS[read('QuotaErrorStatus')],
    top_up_link: read('TopUpLink'),
    refused_per_minute: read('LogRefusedEnabled') ? read('LogRefusedPerMinute') : undefined,
    drawing: readDrawing(read),
    ping_ms: read('general_setting.ping_interval_enabled') ? read('general_setting.ping_interval_seconds') * 1000 : undefined,
  }
}

type Read = <K extends RelayOptionKey>(key: K) => OptionValues[K]

function readDrawing(read: Read): Settings['drawing'] {
  return {
    notifies: read('MjNotifyEnabled'),
    filters_accounts: read('MjAccountFilterEnabled'),
    clears_modes: read('MjModeClearEnabled'),
    forwards_urls: read('MjForwardUrlEnabled'),
    checks_success: read('MjActionCheckSuccessEnabled'),
    address: read('ServerAddress'),
  }
}
