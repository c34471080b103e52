import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { buildAutomaton, type Automaton } from '@tollgate/domain/access/sensitive'
import type { RequestLimits } from '@tollgate/domain/rate-limit/windows'

/** The options a relay acts on, parsed once per change. */
export type Settings = {
  readonly retry_times: number
  readonly quota_per_unit: number
  readonly display_in_currency: boolean
  readonly is_self_use: boolean
  readonly pre_consumed_quota: number
  readonly hold_output_tokens: number
  readonly limits: RequestLimits
  /** Undefined: prompts are not looked at. */
  readonly sensitive: Automaton | undefined
  readonly auto_disable: { readonly is_enabled: boolean; readonly keywords: readonly string[] }
  /** Milliseconds of silence before a ping comment; undefined: none. */
  readonly ping_ms: number | undefined
}

type Options = ReadonlyMap<string, string>

/** Reads the options' wire texts; what is absent or unreadable has the default of the specification. */
export function readSettings(options: Options): Settings {
  const isSensitiveOn = flag(options, 'CheckSensitiveEnabled', true) && flag(options, 'CheckSensitiveOnPromptEnabled', true)
  return {
    retry_times: whole(options, 'RetryTimes', 0),
    quota_per_unit: positive(options, 'QuotaPerUnit', DEFAULT_QUOTA_PER_UNIT),
    display_in_currency: flag(options, 'DisplayInCurrencyEnabled', true),
    is_self_use: flag(options, 'SelfUseModeEnabled', false),
    pre_consumed_quota: whole(options, 'PreConsumedQuota', 500),
    hold_output_tokens: whole(options, 'HoldOutputTokens', 4096),
    limits: {
      is_enabled: flag(options, 'ModelRequestRateLimitEnabled', false),
      duration_minutes: whole(options, 'ModelRequestRateLimitDurationMinutes', 1),
      count: whole(options, 'ModelRequestRateLimitCount', 0),
      success_count: whole(options, 'ModelRequestRateLimitSuccessCount', 1000),
      by_group: groupLimits(options.get('ModelRequestRateLimitGroup')),
    },
    sensitive: isSensitiveOn ? buildAutomaton(lines(options.get('SensitiveWords') ?? 'test_sensitive')) : undefined,
    auto_disable: {
      is_enabled: flag(options, 'AutomaticDisableChannelEnabled', false),
      keywords: lines(options.get('AutomaticDisableKeywords') ?? DEFAULT_KEYWORDS),
    },
    ping_ms: flag(options, 'general_setting.ping_interval_enabled', false)
      ? (whole(options, 'general_setting.ping_interval_seconds', 60) || 10) * 1000
      : undefined,
  }
}

const DEFAULT_KEYWORDS = [
  'Your credit balance is too low',
  'This organization has been disabled.',
  'You exceeded your current quota',
  'Permission denied',
  'The security token included in the request is invalid',
  'Operation not allowed',
  'Your account is not authorized',
].join('\n')

function flag(options: Options, key: string, fallback: boolean): boolean {
  const text = options.get(key)
  return text === undefined ? fallback : text === 'true'
}

function whole(options: Options, key: string, fallback: number): number {
  const value = Number(options.get(key) ?? '')
  return options.has(key) && Number.isInteger(value) && value >= 0 ? value : fallback
}

function positive(options: Options, key: string, fallback: number): number {
  const value = Number(options.get(key) ?? '')
  return Number.isFinite(value) && value > 0 ? value : fallback
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function groupLimits(text: string | undefined): Record<string, readonly [number, number]> {
  const limits: Record<string, readonly [number, number]> = {}
  for (const [group, pair] of Object.entries(parseObject(text))) {
    if (!Array.isArray(pair)) continue
    const [total, success]: unknown[] = pair
    if (typeof total === 'number' && typeof success === 'number') limits[group] = [total, success]
  }
  return limits
}

function parseObject(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text === undefined || text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // The control plane validates what it stores; an older value that is no JSON means: no groups.
    return {}
  }
}
