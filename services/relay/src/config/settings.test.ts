import { optionOf, relayOptionKeys, type OptionKey } from '@tollgate/contracts/options/registry'
import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

describe('readSettings', () => {
  it('uses the defaults of the option table when nothing is stored', () => {
    expect(readSettings(new Map())).toMatchObject({
      retry_times: optionOf('RetryTimes').default,
      quota_per_unit: optionOf('QuotaPerUnit').default,
      display_in_currency: optionOf('DisplayInCurrencyEnabled').default,
      hold_output_tokens: optionOf('HoldOutputTokens').default,
      limits: { is_enabled: false, success_count: optionOf('ModelRequestRateLimitSuccessCount').default, by_group: {} },
      sensitive: { size: 1 },
      auto_disable: { keywords: optionOf('AutomaticDisableKeywords').default },
      ping_ms: undefined,
    })
  })

  it('reads stored options, and uses the default for an unreadable one', () => {
    const stored = new Map([
      ['RetryTimes', '3'],
      ['QuotaPerUnit', 'many'],
      ['CheckSensitiveEnabled', 'false'],
      ['ModelRequestRateLimitGroup', '{"vip":[100,50]}'],
      ['general_setting.ping_interval_enabled', 'true'],
      ['general_setting.ping_interval_seconds', '0'],
    ])

    expect(readSettings(stored)).toMatchObject({
      retry_times: 3,
      quota_per_unit: optionOf('QuotaPerUnit').default,
      sensitive: undefined,
      limits: { by_group: { vip: [100, 50] } },
      ping_ms: 60_000,
    })
  })

  it.each([
    [undefined, 'by-format'],
    ['format', 'by-format'],
    ['403', 403],
    ['429', 429],
  ])('reads QuotaErrorStatus %s as %s', (stored, status) => {
    expect(readSettings(new Map(stored === undefined ? [] : [['QuotaErrorStatus', stored]])).quota_error_status).toBe(status)
  })

  it('keeps a stored ping interval that is shorter than a new one may be', () => {
    const stored = new Map([
      ['general_setting.ping_interval_enabled', 'true'],
      ['general_setting.ping_interval_seconds', '5'],
    ])

    expect(readSettings(stored).ping_ms).toBe(5000)
  })

  it('reads exactly the options that the snapshot contains', () => {
    const read = new Set<string>()
    /** With all switches on, so that what stands behind them is read too. */
    class Recording extends Map<string, string> {
      override get(key: OptionKey): string | undefined {
        read.add(key)
        return optionOf(key).kind === 'flag' ? 'true' : undefined
      }
    }
    readSettings(new Recording([]))

    expect([...read].toSorted()).toEqual(relayOptionKeys.toSorted())
  })
})
