import { describe, expect, it } from 'vitest'
import { SiteStatus } from '../resources/status.ts'
import {
  decodeOption,
  defaultText,
  encodeOption,
  isOptionKey,
  optionKeys,
  optionOf,
  optionSections,
  optionTable,
  readOption,
  relayOptionKeys,
  toPublicOptions,
  type OptionKey,
  type OptionValues,
} from './registry.ts'

// All values decoded from the texts of their defaults, as in a fresh installation.
const defaults = Object.fromEntries(optionKeys.map((key) => [key, readOption(key, defaultText(key))])) as OptionValues

describe('option registry', () => {
  it.each(optionKeys)('%s: its default is valid and survives encoding', (key) => {
    const text = defaultText(key)
    const decoded = decodeOption(key, text)

    expect(decoded).toEqual({ kind: 'ok', value: optionOf(key).default })
    expect(decoded.kind === 'ok' && encodeOption(key, decoded.value)).toBe(text)
  })

  it('refuses a chain of fallback models that comes back to a model, or is too long', () => {
    const chain = (models: readonly string[]) => decodeOption('ModelFallbacks', JSON.stringify({ '*': { a: models } }))

    expect(chain(['b', 'c'])).toMatchObject({ kind: 'ok' })
    expect(chain(['b', 'a'])).toEqual({ kind: 'refused', code: 'option.fallback-loop', params: { model: 'a', again: 'a' } })
    expect(chain(['b', 'b'])).toEqual({ kind: 'refused', code: 'option.fallback-loop', params: { model: 'a', again: 'b' } })
    expect(chain(['b', 'c', 'd', 'e', 'f', 'g'])).toMatchObject({ kind: 'refused' })
  })

  it('declares no key in two sections', () => {
    const all = Object.values(optionSections).flatMap((section) => Object.keys(section))
    expect(new Set(all).size).toBe(all.length)
    expect(all).toHaveLength(optionKeys.length)
  })

  it('contains every key of the specification', () => {
    expect(SPEC_KEYS.filter((key) => !isOptionKey(key))).toEqual([])
  })

  it('publishes no secret', () => {
    const secrets = optionKeys.filter((key) => optionOf(key).isSecret)
    expect(secrets.toSorted()).toEqual([
      'EpayKey',
      'GitHubClientSecret',
      'LinuxDOClientSecret',
      'SMTPToken',
      'StripeApiSecret',
      'StripeWebhookSecret',
      'TelegramBotToken',
      'TurnstileSecretKey',
      'WeChatServerToken',
      'WorkerValidKey',
      'oidc.client_secret',
    ])
    expect(secrets.filter((key) => optionOf(key).publicAs !== undefined)).toEqual([])
    // It is stored sealed.
    expect(relayOptionKeys.filter((key) => optionOf(key).isSecret)).toEqual(['WorkerValidKey'])
  })

  it('publishes site status fields of the right type', () => {
    const shown = toPublicOptions(defaults)
    expect(SiteStatus.partial().parse(shown)).toEqual(shown)
    expect(new Set(optionKeys.map((key) => optionOf(key).publicAs).filter((name) => name !== undefined)).size).toBe(
      Object.keys(shown).length,
    )
  })

  it.each<[string, OptionKey, string, unknown]>([
    ['ServerAddress without its trailing slash', 'ServerAddress', 'https://a.example/ ', 'https://a.example'],
    ['WorkerUrl without its trailing slash', 'WorkerUrl', 'https://a.example/', 'https://a.example'],
    ['PayAddress without its trailing slash', 'PayAddress', 'https://a.example/', 'https://a.example'],
    ['WeChatServerAddress without its trailing slash', 'WeChatServerAddress', 'https://a.example/', 'https://a.example'],
    ['an OIDC address keeps its slash', 'oidc.token_endpoint', 'https://a.example/t/', 'https://a.example/t/'],
    ['lists are trimmed and without doubles', 'EmailDomainWhitelist', ' a.com,,b.com,a.com', ['a.com', 'b.com']],
    ['lines too', 'SensitiveWords', 'x\n\n y \r\nx', ['x', 'y']],
    ['a negative count is unlimited', 'ModelRequestRateLimitCount', '-1', 0],
    ['an explicit price of 0 stays', 'ModelPrice', '{"m":0}', { m: 0 }],
    [
      'cards by rising threshold',
      'PriceCards',
      '{"m":[{"above":9,"model_ratio":3},{"above":5,"model_ratio":2}]}',
      {
        m: [
          { above: 5, model_ratio: 2 },
          { above: 9, model_ratio: 3 },
        ],
      },
    ],
    ['the Claude default is put back', 'claude.default_max_tokens', '{"x":5}', { default: 8192, x: 5 }],
  ])('reads %s', (_why, key, text, value) => {
    expect(decodeOption(key, text)).toEqual({ kind: 'ok', value })
  })

  it.each<[string, OptionKey, string, string]>([
    ['a flag that is neither', 'RegisterEnabled', 'yes', 'option.flag'],
    ['an empty number', 'SMTPPort', '', 'option.number'],
    ['a fraction where whole', 'RetryTimes', '1.5', 'option.integer'],
    ['a port of 0', 'SMTPPort', '0', 'option.min'],
    ['a budget above 1', 'gemini.thinking_adapter_budget_tokens_percentage', '1.1', 'option.max'],
    ['a quota unit of 0', 'QuotaPerUnit', '0', 'option.min'],
    ['an unknown choice', 'DataExportDefaultTime', 'month', 'option.choice'],
    ['an address without scheme', 'ServerAddress', 'localhost:3000', 'option.url'],
    ['broken JSON', 'ModelRatio', '{"a":}', 'option.json'],
    ['broken JSON of top-up groups', 'TopupGroupRatio', '{', 'option.topup-group-json'],
    ['JSON that is no map', 'ModelRatio', '[1]', 'option.shape'],
    ['a ratio that is text', 'ModelRatio', '{"a":"1"}', 'option.ratio'],
    ['a ratio that is infinite', 'ModelRatio', '{"a":1e999}', 'option.ratio'],
    ['a ratio that no price has', 'ModelRatio', '{"a":1000001}', 'option.ratio'],
    ['NaN, which is no JSON', 'ModelRatio', '{"a":NaN}', 'option.json'],
    ['a ratio of null', 'GroupRatio', '{"a":null}', 'option.ratio'],
    ['a negative ratio between groups', 'GroupGroupRatio', '{"vip":{"default":-1}}', 'option.ratio'],
    ['a tool price without a tool', 'tool_price_setting.prices', '{":gpt-4o*":1}', 'option.tool-price'],
    ['a tool price with a star inside', 'tool_price_setting.prices', '{"web_search:gpt*o":1}', 'option.tool-price'],
    ['a negative tool price', 'tool_price_setting.prices', '{"web_search":-1}', 'option.ratio'],
    ['a card without a threshold', 'PriceCards', '{"m":[{"model_ratio":1}]}', 'option.price-card'],
    ['a card without a ratio', 'PriceCards', '{"m":[{"above":1}]}', 'option.price-card'],
    ['a card above a fraction', 'PriceCards', '{"m":[{"above":1.5,"model_ratio":1}]}', 'option.price-card'],
    ['a card with a misspelt ratio', 'PriceCards', '{"m":[{"above":1,"model_ratio":1,"completion":2}]}', 'option.price-card'],
    [
      'two cards of one threshold',
      'PriceCards',
      '{"m":[{"above":9,"model_ratio":1},{"above":9,"model_ratio":2}]}',
      'option.price-card-twice',
    ],
    ['hours that end before they begin', 'PriceHours', '{"m":[{"from":"10:00","to":"01:00","ratio":2}]}', 'option.price-window'],
    ['hours that are no quarters', 'PriceHours', '{"m":[{"from":"10:01","to":"11:00","ratio":2}]}', 'option.price-hours'],
    ['an eighth day', 'PriceHours', '{"m":[{"days":[8],"from":"10:00","to":"11:00","ratio":2}]}', 'option.price-hours'],
    ['a negative group ratio', 'GroupRatio', '{"a":1,"b":-0.1}', 'option.group-ratio'],
    ['a number that is infinite', 'Price', '1e999', 'option.number'],
  ])('refuses %s', (_why, key, text, code) => {
    expect(decodeOption(key, text)).toMatchObject({ kind: 'refused', code })
  })

  it.each<[OptionKey, least: string, below: string]>([
    ['ModelRequestRateLimitSuccessCount', '1', '0'],
    ['ModelRequestRateLimitDurationMinutes', '0', '-1'],
    ['gemini.thinking_adapter_budget_tokens_percentage', '0.1', '0.09'],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.1', '0.09'],
    ['general_setting.ping_interval_seconds', '1', '0'],
  ])('takes %s down to %s', (key, least, below) => {
    expect(decodeOption(key, least)).toEqual({ kind: 'ok', value: Number(least) })
    expect(decodeOption(key, below)).toMatchObject({ kind: 'refused', code: 'option.min' })
  })

  it.each<OptionKey>(['gemini.thinking_adapter_budget_tokens_percentage', 'claude.thinking_adapter_budget_tokens_percentage'])(
    'takes %s up to 1',
    (key) => {
      expect(decodeOption(key, '1')).toEqual({ kind: 'ok', value: 1 })
      expect(decodeOption(key, '1.01')).toMatchObject({ kind: 'refused', code: 'option.max' })
    },
  )

  it.each<OptionKey>([
    'UserUsableGroups',
    'Chats',
    'StreamCacheQueueLength',
    'ModelRequestRateLimitEnabled',
    'gemini.safety_settings',
    'gemini.version_settings',
    'gemini.supported_imagine_models',
    'gemini.thinking_adapter_enabled',
    'claude.model_headers_settings',
    'claude.default_max_tokens',
    'claude.thinking_adapter_enabled',
    'global.pass_through_request_enabled',
    'general_setting.ping_interval_enabled',
  ])('refuses for %s what is not of its type', (key) => {
    for (const text of ['"x"', 'yes', '1.5']) expect([text, decodeOption(key, text).kind]).toEqual([text, 'refused'])
  })

  it.each<OptionKey>([
    'ModelRatio',
    'ModelPrice',
    'CompletionRatio',
    'ReasoningRatio',
    'CacheRatio',
    'CreateCacheRatio',
    'CreateCacheRatio1h',
    'ImageRatio',
    'ImageCacheRatio',
    'ImageCompletionRatio',
    'VideoRatio',
    'AudioRatio',
    'AudioCacheRatio',
    'AudioCompletionRatio',
    'tool_price_setting.prices',
    'TopupGroupRatio',
  ])('%s refuses a negative number and names its key', (key) => {
    expect(decodeOption(key, '{"fine":0,"m":-0.1}')).toEqual({ kind: 'refused', code: 'option.ratio', params: { name: 'm' } })
  })

  it.each(['{"groups":{}}', '{"group":{"vip":{"rpn":5}}}', '{"":1}', '{"model":{"m":{"rpm":0}}}'])('RateLimits refuses %s', (text) => {
    expect(decodeOption('RateLimits', text).kind).toBe('refused')
  })

  it('uses the default when the stored text is not valid', () => {
    expect(readOption('RetryTimes', 'many')).toBe(0)
    expect(readOption('QuotaPerUnit', undefined)).toBe(500_000)
    expect(optionTable.SystemName.default).toBe('Tollgate')
  })
})

const SPEC_KEYS = `PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled EmailDomainRestrictionEnabled
EmailAliasRestrictionEnabled EmailDomainWhitelist GitHubOAuthEnabled GitHubClientId GitHubClientSecret oidc.enabled oidc.client_id
oidc.client_secret oidc.well_known oidc.authorization_endpoint oidc.token_endpoint oidc.user_info_endpoint WeChatAuthEnabled
WeChatServerAddress WeChatServerToken WeChatAccountQRCodeImageURL TelegramOAuthEnabled TelegramBotToken TelegramBotName
LinuxDOOAuthEnabled LinuxDOClientId LinuxDOClientSecret TurnstileCheckEnabled TurnstileSiteKey TurnstileSecretKey SMTPServer SMTPPort
SMTPAccount SMTPFrom SMTPToken SMTPSSLEnabled ServerAddress WorkerUrl WorkerValidKey PayAddress EpayId EpayKey Price MinTopUp
TopupGroupRatio CustomCallbackAddress Notice SystemName Logo Footer About HomePageContent TopUpLink general_setting.docs_link QuotaPerUnit
RetryTimes DisplayInCurrencyEnabled DisplayTokenStatEnabled DefaultCollapseSidebar DemoSiteEnabled SelfUseModeEnabled DrawingEnabled
MjNotifyEnabled MjAccountFilterEnabled MjForwardUrlEnabled MjModeClearEnabled MjActionCheckSuccessEnabled CheckSensitiveEnabled
CheckSensitiveOnPromptEnabled SensitiveWords LogConsumeEnabled DataExportEnabled DataExportInterval DataExportDefaultTime
ChannelDisableThreshold AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled AutomaticDisableKeywords QuotaRemindThreshold
QuotaForNewUser PreConsumedQuota QuotaForInviter QuotaForInvitee ModelPrice ModelRatio CompletionRatio CacheRatio GroupRatio
UserUsableGroups Chats StreamCacheQueueLength ModelRequestRateLimitEnabled ModelRequestRateLimitCount ModelRequestRateLimitSuccessCount
ModelRequestRateLimitDurationMinutes gemini.safety_settings gemini.version_settings gemini.supported_imagine_models
gemini.thinking_adapter_enabled gemini.thinking_adapter_budget_tokens_percentage claude.model_headers_settings claude.default_max_tokens
claude.thinking_adapter_enabled claude.thinking_adapter_budget_tokens_percentage global.pass_through_request_enabled
general_setting.ping_interval_enabled general_setting.ping_interval_seconds TaskEnabled StopOnSensitiveEnabled HoldOutputTokens`.split(
  /\s+/,
)
