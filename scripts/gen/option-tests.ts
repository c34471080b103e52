import type { OptionKey } from '../../libs/contracts/src/options/registry.ts'

/** The test that changes an option and sees what it does: its file, and a part of its name. */
export type OptionTest = { readonly file: string; readonly name: string }

const CONTROL_PLANE = 'services/control-plane/src/resources'
const RELAY = 'services/relay/test'
const WORKER = 'services/worker/src'
const CONSOLE = 'web/console/src'

/** `file > name`, then the options that it proves. Tests of relays change them on two running ones. */
const TESTS: readonly (readonly [file: string, name: string, keys: readonly OptionKey[]])[] = [
  // Stored files and background responses
  ['services/control-plane/src/internal/stored-bytes.test.ts', 'may be uploaded by the roles that', ['FileUploadPermission']],
  ['services/control-plane/src/internal/stored-bytes.test.ts', 'has one budget per user over files', ['StoredBytesPerUser']],
  ['services/control-plane/src/internal/stored-bytes.test.ts', 'has a budget of the whole installation', ['StoredBytesTotal']],
  [
    'services/control-plane/src/internal/stored-bytes.test.ts',
    'counts open and stored background responses up to the options',
    ['BackgroundResponsesOpen', 'BackgroundResponsesStored'],
  ],
  // Sign-in and registration
  [`${CONTROL_PLANE}/sign-in/routes.test.ts`, 'can be turned off', ['PasswordLoginEnabled']],
  [
    `${CONTROL_PLANE}/registration/register.test.ts`,
    'is refused when %s',
    ['RegisterEnabled', 'PasswordRegisterEnabled', 'SelfUseModeEnabled'],
  ],
  [
    `${CONTROL_PLANE}/registration/register.test.ts`,
    'is needed, with the address, when e-mail verification is on',
    ['EmailVerificationEnabled'],
  ],
  [
    `${CONTROL_PLANE}/registration/register.test.ts`,
    'does not help an address %s',
    ['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist', 'EmailAliasRestrictionEnabled'],
  ],
  [`${CONTROL_PLANE}/sign-in/routes.test.ts`, 'tells the owner once about each new browser', ['NewDeviceNoticeEnabled']],
  [`${CONTROL_PLANE}/organisations/routes.test.ts`, 'are founded only by those whom', ['OrganisationFounders']],
  [`${CONTROL_PLANE}/two-factor/routes.test.ts`, 'keeps administrators without it from their pages', ['AdminTwoFactorRequired']],
  [
    `${CONTROL_PLANE}/oauth/redirect-providers.test.ts`,
    'makes an account from a GitHub user at the first sign-in',
    ['GitHubClientId', 'GitHubClientSecret'],
  ],
  [
    `${CONTROL_PLANE}/oauth/redirect-providers.test.ts`,
    'signs in with Linux DO by the numeric id, with the client’s secret in a header',
    ['LinuxDOClientId', 'LinuxDOClientSecret'],
  ],
  [
    `${CONTROL_PLANE}/oauth/redirect-providers.test.ts`,
    'is refused while the provider is off',
    ['GitHubOAuthEnabled', 'LinuxDOOAuthEnabled'],
  ],
  [
    `${CONTROL_PLANE}/oauth/wechat-telegram.test.ts`,
    'asks the configured server for the WeChat user of a code',
    ['WeChatServerAddress', 'WeChatServerToken'],
  ],
  [`${CONTROL_PLANE}/oauth/wechat-telegram.test.ts`, 'is refused while the provider is off', ['WeChatAuthEnabled', 'TelegramOAuthEnabled']],
  [`${CONTROL_PLANE}/oauth/wechat-telegram.test.ts`, 'signs a bound Telegram account in', ['TelegramBotToken']],
  [`${CONSOLE}/features/sign-in/third-party.test.tsx`, 'WeChat: show the QR image', ['WeChatAccountQRCodeImageURL']],
  [`${CONSOLE}/features/sign-in/third-party.test.tsx`, 'Telegram: sign in with what its frame posts', ['TelegramBotName']],
  [
    'services/control-plane/src/human-check.test.ts',
    'requires a token at sign-in, registration, reset and for mailed codes, only while it is on',
    ['TurnstileCheckEnabled', 'TurnstileSecretKey'],
  ],
  [`${CONSOLE}/features/sign-in/human-check.test.tsx`, 'loads the human check when it is on', ['TurnstileSiteKey']],
  [
    `${CONTROL_PLANE}/oauth/id-token.test.ts`,
    'are accepted when issuer, audience, nonce, time and signature are right',
    ['oidc.enabled', 'oidc.client_id', 'oidc.client_secret', 'oidc.well_known'],
  ],
  [
    `${CONTROL_PLANE}/oauth/id-token.test.ts`,
    'are not checked without a well-known address, but the user info is read',
    ['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'],
  ],
  [`${CONTROL_PLANE}/oauth/oidc.test.ts`, 'asks for the further scopes of the operator', ['oidc.extra_scopes']],
  // Site
  [`${CONTROL_PLANE}/sign-in/routes.test.ts`, 'marks the cookie Secure when the server address is https', ['ServerAddress']],
  [
    `${CONTROL_PLANE}/status/routes.test.ts`,
    'publishes %s at once',
    ['SystemName', 'Logo', 'ImageHosts', 'TopUpLink', 'DemoSiteEnabled', 'DrawingEnabled', 'TaskEnabled'],
  ],
  [`${CONTROL_PLANE}/status-page/status-page.test.ts`, 'answers 404 at %s while it is off', ['StatusPageEnabled']],
  [
    `${CONTROL_PLANE}/status-page/status-page.test.ts`,
    'groups models as the operator says, and leaves out the others',
    ['StatusPageGroups'],
  ],
  [`${CONTROL_PLANE}/status-page/status-page.test.ts`, 'names makers only where the operator wants it', ['StatusPageShowMakers']],
  [
    'tests/tasks.test.ts',
    'draws, enlarges, varies, zooms and repaints as a client of Midjourney asks for it',
    ['MjNotifyEnabled', 'MjModeClearEnabled', 'MjForwardUrlEnabled', 'MjActionCheckSuccessEnabled'],
  ],
  ['tests/tasks.test.ts', 'passes the account filter and the address of the image on by option', ['MjAccountFilterEnabled']],
  [`${CONTROL_PLANE}/status/routes.test.ts`, 'serves notice, about and home page as texts', ['Notice', 'About', 'HomePageContent']],
  [`${CONSOLE}/app/shell/shell.test.tsx`, 'shows the custom one instead', ['Footer']],
  [`${CONSOLE}/app/shell/shell.test.tsx`, 'shows the docs link only when one is configured', ['general_setting.docs_link']],
  [`${CONSOLE}/app/shell/shell.test.tsx`, 'lists the chats of the site', ['Chats']],
  [`${CONSOLE}/app/shell/shell.test.tsx`, 'follows the site’s default until the user chooses one', ['DefaultCollapseSidebar']],
  // Mail and the proxy
  [
    `${WORKER}/deliveries/mail.test.ts`,
    'is sent at once, or says why not',
    ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'SMTPSSLEnabled'],
  ],
  [
    `${RELAY}/media.test.ts`,
    'an image is fetched through the proxy of the options',
    ['WorkerUrl', 'WorkerValidKey', 'WorkerAllowHttpImageRequestEnabled'],
  ],
  // Money
  [`${CONTROL_PLANE}/payments/routes.test.ts`, 'sells so much quota for a unit as the site says', ['QuotaPerUnit']],
  [`${RELAY}/billing.test.ts`, 'DisplayInCurrencyEnabled', ['DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled']],
  [
    'services/control-plane/src/internal/snapshot-publisher.test.ts',
    'publishes every kind of price, the tool prices as an option, and ratios for user groups',
    [
      'AudioCacheRatio',
      'AudioCompletionRatio',
      'AudioRatio',
      'VideoRatio',
      'CacheRatio',
      'CompletionRatio',
      'CreateCacheRatio',
      'CreateCacheRatio1h',
      'GroupGroupRatio',
      'ImageCacheRatio',
      'ImageCompletionRatio',
      'ImageRatio',
      'ModelRatio',
      'PriceCards',
      'ReasoningRatio',
      'PriceHours',
      'TierRatio',
      'GroupModelRatio',
      'tool_price_setting.prices',
    ],
  ],
  [`${RELAY}/prices.test.ts`, 'refuses a model without an output price, and does not list it', ['OutputPriceRequired']],
  ['services/worker/src/handlers/refresh-prices.test.ts', 'reads nothing while the option is off', ['PriceRefreshEnabled']],
  [
    'services/worker/src/handlers/refresh-prices.test.ts',
    'compares with the catalogue of this version where no address is set',
    ['PriceCatalogueAddress'],
  ],
  [
    'services/worker/src/handlers/refresh-prices.test.ts',
    'takes what one source states up to the change that the option allows',
    ['PriceRefreshMaxChange'],
  ],
  [`${CONTROL_PLANE}/pricing/routes.test.ts`, 'reminds of no model that is marked as not for sale', ['UnsoldModels']],
  ['tests/videos.test.ts', 'charges a video by the unit that the option gives its model', ['video_price_setting.units']],
  [`${CONTROL_PLANE}/pricing/routes.test.ts`, 'prices every enabled model by the rules of charging', ['ModelPrice']],
  ['services/control-plane/src/internal/snapshot-publisher.test.ts', 'publishes changed prices and groups', ['GroupRatio']],
  [`${CONTROL_PLANE}/pricing/routes.test.ts`, 'keeps the answer until a channel or an option changes', ['UserUsableGroups']],
  [`${RELAY}/routing.test.ts`, 'runs, and is charged, in the first listed group', ['AutoGroups']],
  [`${RELAY}/routing.test.ts`, 'decides within a priority by cost, and a schedule leaves channels out', ['RoutingStrategies']],
  [`${RELAY}/model-fallback.test.ts`, 'is answered by the next of its chain, which is named and charged', ['ModelFallbacks']],
  [
    `${RELAY}/model-fallback.test.ts`,
    'comes from the client where the operator allows it, and no vendor sees it',
    ['ClientFallbackModels'],
  ],
  [`${RELAY}/routing.test.ts`, 'leaves a channel of weight 0 as a reserve when weights are exact', ['ExactChannelWeights']],
  ['tests/revocation.test.ts', "option: 'PreConsumedQuota'", ['PreConsumedQuota']],
  [`${RELAY}/realtime.test.ts`, 'is charged beside a running response, and with it if the wallet has no more', ['HoldOutputTokens']],
  [
    `${CONTROL_PLANE}/registration/register.test.ts`,
    'rewards both exactly when many register with it at once',
    ['QuotaForInvitee', 'QuotaForInviter', 'QuotaForNewUser'],
  ],
  [`${WORKER}/deliveries/notices.test.ts`, 'is measured with the threshold of the site', ['QuotaRemindThreshold']],
  [`${WORKER}/handlers/spend-alerts.test.ts`, 'is queued once per user and week, if the option is on', ['WeeklyReportEnabled']],
  [
    `${CONTROL_PLANE}/payments/routes.test.ts`,
    'answers the form that the payer’s browser posts to the gateway',
    ['PayAddress', 'EpayId', 'EpayKey', 'CustomCallbackAddress'],
  ],
  [
    `${CONTROL_PLANE}/payments/routes.test.ts`,
    'lists methods, amounts and prices for the payer',
    ['Price', 'MinTopUp', 'StripeMinTopUp', 'TopupGroupRatio', 'payment_setting.amount_options', 'payment_setting.amount_discount'],
  ],
  [
    `${CONTROL_PLANE}/payments/routes.test.ts`,
    'opens a Stripe session with the price in its currency',
    ['StripeApiSecret', 'StripeCurrency', 'StripeUnitPrice', 'StripeApiAddress'],
  ],
  [`${CONTROL_PLANE}/payments/attacks.test.ts`, 'credit nothing that is forged or that contradicts the order', ['StripeWebhookSecret']],
  // Retries and channels
  [`${RELAY}/chat.test.ts`, 'do not happen without RetryTimes', ['RetryTimes']],
  [`${RELAY}/routing.test.ts`, 'is followed by another for the statuses of AutomaticRetryStatusCodes', ['AutomaticRetryStatusCodes']],
  [`${RELAY}/routing.test.ts`, 'allows no further attempt once it is used up', ['RetryTimeBudget']],
  [`${RELAY}/routing.test.ts`, 'is distributed at random when the option is off', ['ChannelAffinityEnabled']],
  [`${RELAY}/affinity-rules.test.ts`, 'is recognised by a header or a member of the body', ['ChannelAffinityRules']],
  [`${RELAY}/chat.test.ts`, 'pays what was delivered of a stream whose bytes are over the limit', ['ClientDisconnectDrainBytes']],
  [`${RELAY}/chat.test.ts`, 'pays its prompt if too many answers of the channel are read on', ['ClientDisconnectDrains']],
  [`${RELAY}/chat.test.ts`, 'has its stream read no longer than the option allows', ['ClientDisconnectDrainSeconds']],
  [
    `${WORKER}/handlers/run-channels.test.ts`,
    'disables by option %s',
    ['AutomaticDisableKeywords', 'AutomaticDisableStatusCodes', 'ChannelDisableThreshold'],
  ],
  [`${WORKER}/channels/channel-health.test.ts`, 'changes nothing when the option is off', ['AutomaticDisableChannelEnabled']],
  [`${WORKER}/channels/channel-health.test.ts`, 'waits for the interval after the evidence', ['AutomaticEnableChannelEnabled']],
  [`${WORKER}/channels/channel-health.test.ts`, 'takes the interval from its option', ['AutomaticEnableInterval']],
  [`${WORKER}/handlers/run-channels.test.ts`, 'notifies root when a balance falls below option ChannelLowBalance', ['ChannelLowBalance']],
  [
    `${WORKER}/handlers/run-channels.test.ts`,
    'is started on schedule by option %s',
    ['ChannelTestInterval', 'ChannelBalanceInterval', 'ChannelModelsInterval'],
  ],
  [`${RELAY}/vendor-answers.test.ts`, 'for Accept-Language %s and options %j', ['ErrorLanguage']],
  [`${RELAY}/vendor-answers.test.ts`, 'gets the status of option QuotaErrorStatus', ['QuotaErrorStatus']],
  [`${RELAY}/response-state.test.ts`, 'is refused when the turns before are too long', ['ResponseStateMaxSize']],
  [
    `${RELAY}/response-state.test.ts`,
    'is removed when newer ones fill the user’s share, or after its lifetime',
    ['ResponseStateUserSize', 'ResponseStateTtl'],
  ],
  // Limits, words, logs, dashboard
  [
    `${RELAY}/refusals.test.ts`,
    'enforces the request windows of the options',
    ['ModelRequestRateLimitEnabled', 'ModelRequestRateLimitDurationMinutes', 'ModelRequestRateLimitSuccessCount'],
  ],
  ['tests/revocation.test.ts', "option: 'ModelRequestRateLimitCount'", ['ModelRequestRateLimitCount']],
  ['tests/revocation.test.ts', "option: 'ModelRequestRateLimitGroup'", ['ModelRequestRateLimitGroup']],
  [`${RELAY}/limits.test.ts`, 'are shared by all users of a model', ['RateLimits']],
  ['tests/revocation.test.ts', "option: 'SensitiveWords'", ['SensitiveWords']],
  ['tests/revocation.test.ts', "option: 'CheckSensitiveEnabled'", ['CheckSensitiveEnabled']],
  ['tests/revocation.test.ts', "option: 'CheckSensitiveOnPromptEnabled'", ['CheckSensitiveOnPromptEnabled']],
  [
    `${WORKER}/posting/posting.test.ts`,
    'posts everything except rows and logged sums while consumption logs are off',
    ['LogConsumeEnabled'],
  ],
  [`${RELAY}/refused-requests.test.ts`, 'is anything while the option is off', ['LogRefusedEnabled']],
  [`${WORKER}/refusals/post-refusals.test.ts`, 'become as many rows as option LogRefusedPerMinute says', ['LogRefusedPerMinute']],
  ['tests/telemetry.test.ts', 'are recorded only where the option and the token allow it', ['TelemetryContentEnabled']],
  [`${WORKER}/handlers/clear-logs.test.ts`, 'deletes what is older than the days that the option keeps', ['LogRetentionDays']],
  [`${WORKER}/archive/log-archive.test.ts`, 'archives the months that are older than the option keeps', ['LogArchiveMonths']],
  [`${CONSOLE}/features/dashboard/page.test.tsx`, 'is in the menu only where the stored setting says so', ['DataExportEnabled']],
  [`${CONSOLE}/features/dashboard/page.test.tsx`, 'starts with the site’s granularity', ['DataExportDefaultTime']],
  [`${CONTROL_PLANE}/dashboard/series.test.ts`, 'tells how often it is read again by option DataExportInterval', ['DataExportInterval']],
  // Models
  [
    `${RELAY}/chat.test.ts`,
    'pings during silence when the option is set',
    ['general_setting.ping_interval_enabled', 'general_setting.ping_interval_seconds'],
  ],
  [`${RELAY}/answer-names.test.ts`, 'the option says so', ['AnswerWithUpstreamModel']],
  ...(
    [
      'claude.default_max_tokens',
      'claude.model_headers_settings',
      'claude.thinking_adapter_enabled',
      'claude.thinking_adapter_budget_tokens_percentage',
      'gemini.safety_settings',
      'gemini.version_settings',
      'gemini.supported_imagine_models',
      'gemini.thinking_adapter_enabled',
      'gemini.thinking_adapter_budget_tokens_percentage',
      'global.pass_through_request_enabled',
    ] as const
  ).map((key) => ['tests/revocation.test.ts', `option: '${key}'`, [key]] as const),
]

export const optionTests: ReadonlyMap<string, OptionTest> = new Map(
  TESTS.flatMap(([file, name, keys]) => keys.map((key) => [key, { file, name }] as const)),
)
