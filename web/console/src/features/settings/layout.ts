import type { OptionKey } from '@tollgate/contracts/options/registry'
import { MODEL_PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import { TABS, type Tab } from './tabs.ts'

/** Which options a section of a tab shows, in this order. A test holds that every option of the registry has its place. */
export const LAYOUT = {
  operation: {
    general: [
      'TopUpLink',
      'general_setting.docs_link',
      'QuotaPerUnit',
      'RetryTimes',
      'DisplayInCurrencyEnabled',
      'DisplayTokenStatEnabled',
      'DefaultCollapseSidebar',
      'DemoSiteEnabled',
      'SelfUseModeEnabled',
    ],
    drawing: [
      'DrawingEnabled',
      'TaskEnabled',
      'MjNotifyEnabled',
      'MjAccountFilterEnabled',
      'MjForwardUrlEnabled',
      'MjModeClearEnabled',
      'MjActionCheckSuccessEnabled',
    ],
    sensitive: ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled', 'StopOnSensitiveEnabled', 'SensitiveWords'],
    logs: ['LogConsumeEnabled', 'LogRefusedEnabled', 'LogRefusedPerMinute', 'LogRetentionDays'],
    dashboard: ['DataExportEnabled', 'DataExportInterval', 'DataExportDefaultTime'],
    monitoring: [
      'ChannelDisableThreshold',
      'AutomaticDisableChannelEnabled',
      'AutomaticEnableChannelEnabled',
      'AutomaticEnableInterval',
      'ChannelTestInterval',
      'ChannelBalanceInterval',
      'ChannelModelsInterval',
      'ChannelLowBalance',
      'AutomaticDisableKeywords',
      'AutomaticDisableStatusCodes',
    ],
    retries: [
      'AutomaticRetryStatusCodes',
      'RetryTimeBudget',
      'ChannelAffinityEnabled',
      'ChannelAffinityRules',
      'RoutingStrategies',
      'ExactChannelWeights',
      'ClientDisconnectDrainSeconds',
      'ClientDisconnectDrainBytes',
      'ClientDisconnectDrains',
      'ErrorLanguage',
      'QuotaErrorStatus',
      'ResponseStateTtl',
      'ResponseStateMaxSize',
      'ResponseStateUserSize',
    ],
    quota: [
      'QuotaRemindThreshold',
      'WeeklyReportEnabled',
      'QuotaForNewUser',
      'PreConsumedQuota',
      'HoldOutputTokens',
      'QuotaForInviter',
      'QuotaForInvitee',
    ],
    groups: ['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups'],
    prices: MODEL_PRICE_OPTIONS,
    chats: ['Chats'],
    compatibility: [
      'StreamCacheQueueLength',
      'FileUploadPermission',
      'FileDownloadPermission',
      'ImageUploadPermission',
      'ImageDownloadPermission',
    ],
  },
  ratelimit: {
    limits: [
      'ModelRequestRateLimitEnabled',
      'ModelRequestRateLimitDurationMinutes',
      'ModelRequestRateLimitCount',
      'ModelRequestRateLimitSuccessCount',
      'ModelRequestRateLimitGroup',
    ],
    shared: ['RateLimits'],
  },
  models: {
    global: [
      'global.pass_through_request_enabled',
      'AnswerWithUpstreamModel',
      'general_setting.ping_interval_enabled',
      'general_setting.ping_interval_seconds',
    ],
    gemini: [
      'gemini.safety_settings',
      'gemini.version_settings',
      'gemini.supported_imagine_models',
      'gemini.thinking_adapter_enabled',
      'gemini.thinking_adapter_budget_tokens_percentage',
    ],
    claude: [
      'claude.model_headers_settings',
      'claude.default_max_tokens',
      'claude.thinking_adapter_enabled',
      'claude.thinking_adapter_budget_tokens_percentage',
    ],
  },
  system: {
    server: ['ServerAddress'],
    proxy: ['WorkerUrl', 'WorkerValidKey', 'WorkerAllowHttpImageRequestEnabled'],
    payment: [
      'PayAddress',
      'EpayId',
      'EpayKey',
      'CustomCallbackAddress',
      'Price',
      'MinTopUp',
      'TopupGroupRatio',
      'payment_setting.amount_options',
      'payment_setting.amount_discount',
    ],
    stripe: ['StripeApiSecret', 'StripeWebhookSecret', 'StripeCurrency', 'StripeUnitPrice', 'StripeMinTopUp', 'StripeApiAddress'],
    access: [
      'PasswordLoginEnabled',
      'PasswordRegisterEnabled',
      'EmailVerificationEnabled',
      'RegisterEnabled',
      'GitHubOAuthEnabled',
      'oidc.enabled',
      'LinuxDOOAuthEnabled',
      'WeChatAuthEnabled',
      'TelegramOAuthEnabled',
      'TurnstileCheckEnabled',
      'AdminTwoFactorRequired',
      'NewDeviceNoticeEnabled',
    ],
    domains: ['EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled', 'EmailDomainWhitelist'],
    smtp: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'SMTPSSLEnabled'],
    oidc: [
      'oidc.well_known',
      'oidc.client_id',
      'oidc.client_secret',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
    github: ['GitHubClientId', 'GitHubClientSecret'],
    linuxdo: ['LinuxDOClientId', 'LinuxDOClientSecret'],
    wechat: ['WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'],
    telegram: ['TelegramBotToken', 'TelegramBotName'],
    turnstile: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  },
  other: {
    notice: ['Notice'],
    name: ['SystemName'],
    logo: ['Logo'],
    home: ['HomePageContent'],
    about: ['About'],
    footer: ['Footer'],
  },
} as const satisfies Record<Tab, Record<string, readonly OptionKey[]>>

type SectionsOf = { readonly [T in Tab]: keyof (typeof LAYOUT)[T] }
export type SectionName = SectionsOf[Tab]
export type PlacedSection = { readonly tab: Tab; readonly name: SectionName; readonly keys: readonly OptionKey[] }

/** Every section with its tab, in the order of the page. */
export const SECTIONS: readonly PlacedSection[] = TABS.flatMap((tab) =>
  // The names of this tab's sections, which the type of `LAYOUT` knows.
  (Object.entries(LAYOUT[tab]) as [SectionName, readonly OptionKey[]][]).map(([name, keys]) => ({ tab, name, keys })),
)
