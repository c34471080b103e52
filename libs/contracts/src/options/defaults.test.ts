import { describe, expect, it } from 'vitest'
import { defaultText, isOptionKey, optionTable } from './registry.ts'

/** The default text of every key that the specification gives one; JSON is compared by value. */
const given: Readonly<Record<string, string>> = {
  PasswordLoginEnabled: 'true',
  PasswordRegisterEnabled: 'true',
  EmailVerificationEnabled: 'false',
  RegisterEnabled: 'true',
  EmailDomainRestrictionEnabled: 'false',
  EmailAliasRestrictionEnabled: 'false',
  EmailDomainWhitelist: 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  GitHubOAuthEnabled: 'false',
  GitHubClientId: '',
  GitHubClientSecret: '',
  'oidc.enabled': 'false',
  'oidc.client_id': '',
  'oidc.client_secret': '',
  'oidc.well_known': '',
  'oidc.authorization_endpoint': '',
  'oidc.token_endpoint': '',
  'oidc.user_info_endpoint': '',
  WeChatAuthEnabled: 'false',
  WeChatServerAddress: '',
  WeChatServerToken: '',
  WeChatAccountQRCodeImageURL: '',
  TelegramOAuthEnabled: 'false',
  TelegramBotToken: '',
  TelegramBotName: '',
  LinuxDOOAuthEnabled: 'false',
  LinuxDOClientId: '',
  LinuxDOClientSecret: '',
  TurnstileCheckEnabled: 'false',
  TurnstileSiteKey: '',
  TurnstileSecretKey: '',
  SMTPServer: '',
  SMTPPort: '587',
  SMTPAccount: '',
  SMTPFrom: '',
  SMTPToken: '',
  SMTPSSLEnabled: 'false',
  ServerAddress: '',
  WorkerUrl: '',
  WorkerValidKey: '',
  PayAddress: '',
  EpayId: '',
  EpayKey: '',
  Price: '7.3',
  MinTopUp: '1',
  TopupGroupRatio: '{"default":1,"svip":1,"vip":1}',
  CustomCallbackAddress: '',
  Notice: '',
  Logo: '',
  Footer: '',
  About: '',
  HomePageContent: '',
  TopUpLink: '',
  QuotaPerUnit: '500000',
  RetryTimes: '0',
  DisplayInCurrencyEnabled: 'true',
  DisplayTokenStatEnabled: 'true',
  DefaultCollapseSidebar: 'false',
  DemoSiteEnabled: 'false',
  SelfUseModeEnabled: 'false',
  DrawingEnabled: 'true',
  MjNotifyEnabled: 'false',
  MjAccountFilterEnabled: 'false',
  MjForwardUrlEnabled: 'true',
  MjModeClearEnabled: 'false',
  MjActionCheckSuccessEnabled: 'true',
  CheckSensitiveEnabled: 'true',
  CheckSensitiveOnPromptEnabled: 'true',
  SensitiveWords: 'test_sensitive',
  LogConsumeEnabled: 'true',
  DataExportEnabled: 'true',
  DataExportInterval: '5',
  DataExportDefaultTime: 'hour',
  ChannelDisableThreshold: '5',
  AutomaticDisableChannelEnabled: 'false',
  AutomaticEnableChannelEnabled: 'false',
  QuotaRemindThreshold: '1000',
  QuotaForNewUser: '0',
  PreConsumedQuota: '500',
  QuotaForInviter: '0',
  QuotaForInvitee: '0',
  GroupRatio: '{"default":1,"svip":1,"vip":1}',
  UserUsableGroups: '{"default":"默认分组","vip":"vip分组"}',
  StreamCacheQueueLength: '0',
  ModelRequestRateLimitEnabled: 'false',
  ModelRequestRateLimitCount: '0',
  ModelRequestRateLimitSuccessCount: '1000',
  ModelRequestRateLimitDurationMinutes: '1',
  'gemini.safety_settings': '{"HARM_CATEGORY_CIVIC_INTEGRITY":"BLOCK_NONE","default":"OFF"}',
  'gemini.version_settings': '{"default":"v1beta","gemini-1.0-pro":"v1"}',
  'gemini.supported_imagine_models': '["gemini-2.0-flash-exp-image-generation","gemini-2.0-flash-exp"]',
  'gemini.thinking_adapter_enabled': 'false',
  'gemini.thinking_adapter_budget_tokens_percentage': '0.6',
  'claude.model_headers_settings': '{}',
  'claude.default_max_tokens': '{"default":8192}',
  'claude.thinking_adapter_enabled': 'true',
  'claude.thinking_adapter_budget_tokens_percentage': '0.8',
  'global.pass_through_request_enabled': 'false',
  'general_setting.ping_interval_enabled': 'false',
  'general_setting.ping_interval_seconds': '60',
}

const parsed = (text: string): unknown => (/^[{[]/.test(text) ? JSON.parse(text) : text)

describe('option defaults', () => {
  it.each(Object.entries(given))('%s has the specified default', (key, text) => {
    const found = isOptionKey(key) ? parsed(defaultText(key)) : 'unknown key'

    expect(found).toEqual(parsed(text))
  })

  it('contain our own name and no link to other documentation', () => {
    expect([optionTable.SystemName.default, optionTable['general_setting.docs_link'].default]).toEqual(['Tollgate', ''])
  })

  it('contain the seven phrases by which vendors report a closed account', () => {
    expect(defaultText('AutomaticDisableKeywords').split('\n')).toEqual([
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ])
  })

  it('contain five chat programs in a fixed order', () => {
    expect(optionTable.Chats.default).toEqual([
      { 'ChatGPT Next Web 官方示例': 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
      {
        'Lobe Chat 官方示例':
          'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
      },
      {
        'AI as Workspace':
          'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
      },
      { 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' },
      { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    ])
  })

  it.each([
    [
      'ModelRatio',
      {
        'gpt-4o': 1.25,
        'gpt-4o-mini': 0.075,
        'claude-opus-5-5': 2,
        'gemini-2.5-pro': 0.625,
        'glm-4-flash': 0,
        'ERNIE-4.0-8K': 8.2191780822,
      },
    ],
    ['ModelPrice', { 'dall-e-3': 0.04, suno_music: 0.1, mj_inpaint: 0, 'gpt-4-gizmo-*': 0.1 }],
    ['CompletionRatio', { 'gpt-4o': 4, 'claude-opus-5-5': 5, 'mistral-medium-latest': 5, 'gpt-4o-gizmo-*': 3, 'gpt-4-all': 2 }],
    ['CacheRatio', { 'gpt-4o': 0.5, 'claude-3-opus-20240229': 0.1, 'claude-opus-5-5': 0.05 }],
    ['CreateCacheRatio', { 'claude-3-opus-20240229': 1.25, 'gpt-6.1-sol': 1.25, 'claude-sonnet-4-20250514-thinking': 1.25 }],
    ['CreateCacheRatio1h', { 'gpt-6.1-sol': 2.5, 'claude-opus-5-5': 2 }],
    ['ImageRatio', { 'gpt-image-1': 2 }],
    ['ReasoningRatio', { 'qwen-plus-2025-07-28': 10 }],
    ['TierRatio', { 'gpt-6.1-sol': { batch: 0.5, flex: 0.5, priority: 2, ultrafast: 6 } }],
    ['tool_price_setting.prices', { web_search: 10, 'web_search_preview:gpt-4o*': 25, file_search: 2.5, google_search: 14 }],
  ] as const)('%s has the prices of the catalogue and of others', (key, some) => {
    expect(optionTable[key].default).toMatchObject(some)
  })

  it('state the output of every chat model of the catalogue', () => {
    const { ModelRatio, CompletionRatio } = optionTable
    const makers = /^(gpt-[3-9]|o[1-9]|claude-|gemini-[2-9]|grok-|mistral-|deepseek-|glm-[4-9]|kimi-|qwen)/
    const noOutput = /embed|tts|image|live|realtime|transcribe|audio|moderation/
    const sold = Object.keys(ModelRatio.default).filter((name) => makers.test(name) && !noOutput.test(name))

    expect(sold.filter((name) => Object.hasOwn(CompletionRatio.default, name)).length).toBeGreaterThan(300)
  })
})
