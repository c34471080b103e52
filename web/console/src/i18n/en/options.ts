import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/options.ts'

/** Name and description of every option, by its key. */
export const texts = {
  // System settings
  ServerAddress: {
    label: 'Server address',
    help: 'Where users reach this site, for example https://example.com. Links in mails, payments and sign-in callbacks use it.',
  },
  WorkerUrl: {
    label: 'Proxy address',
    help: 'Used for addresses that users enter (images, webhooks), so that they do not learn the server’s address.',
  },
  WorkerValidKey: { label: 'Proxy key', help: 'Proves to the proxy that a request comes from this site.' },
  WorkerAllowHttpImageRequestEnabled: {
    label: 'Let the proxy use http addresses',
    help: 'While off, the proxy uses https addresses only.',
  },
  PayAddress: { label: 'Payment address', help: 'The address of the Epay interface. Empty switches online top-up off.' },
  EpayId: { label: 'Epay merchant ID', help: 'The merchant number of your payment platform.' },
  EpayKey: { label: 'Epay merchant key', help: 'Signs payments and verifies their results. It is not shown again.' },
  CustomCallbackAddress: { label: 'Callback address', help: 'Where the payment platform reports results. Empty means the server address.' },
  Price: { label: 'Price of one dollar', help: 'What one US dollar of quota costs in the currency of payment.' },
  MinTopUp: { label: 'Smallest top-up in dollars', help: 'The smallest amount of one online top-up.' },
  TopupGroupRatio: { label: 'Top-up ratio by group', help: 'Changes the top-up price by the user’s group; {"vip": 0.9} is 10% off.' },
  payment_setting: {
    amount_options: { label: 'Amounts to choose from', help: 'Amounts that the wallet offers, as a JSON list.' },
    amount_discount: {
      label: 'Discount by amount',
      help: 'Price factors by amount in US dollars; {"100": 0.95} is 5% off from 100 dollars.',
    },
  },
  StripeApiSecret: { label: 'Stripe secret key', help: 'Begins with sk_ or rk_. It is not shown again.' },
  StripeWebhookSecret: { label: 'Webhook signing secret', help: 'Begins with whsec_ and verifies payment results. It is not shown again.' },
  StripeCurrency: { label: 'Currency of payment', help: 'Three lower-case letters, for example usd, eur or cny.' },
  StripeUnitPrice: { label: 'Price of one dollar of quota', help: 'In the currency of payment above.' },
  StripeMinTopUp: { label: 'Smallest top-up in dollars', help: 'The smallest amount of one top-up with Stripe.' },
  StripeApiAddress: { label: 'Stripe API address', help: 'Usually left as it is.' },
  PasswordLoginEnabled: { label: 'Sign in with a password', help: 'While off, only third-party accounts can sign in.' },
  PasswordRegisterEnabled: { label: 'Register with a password', help: 'While off, only third-party accounts can register.' },
  EmailVerificationEnabled: {
    label: 'Verify the email when registering with a password',
    help: 'Registration asks for a code sent by mail. Needs SMTP.',
  },
  RegisterEnabled: { label: 'Let new users register', help: 'While off, no new account can be registered in any way.' },
  GitHubOAuthEnabled: { label: 'Sign in and register with GitHub', help: 'Needs a GitHub client ID.' },
  LinuxDOOAuthEnabled: { label: 'Sign in and register with Linux DO', help: 'Needs a Linux DO client ID.' },
  WeChatAuthEnabled: { label: 'Sign in and register with WeChat', help: 'Needs the WeChat server address.' },
  OrganisationFounders: {
    label: 'Who may found organisations',
    help: 'An organisation has a wallet, tokens and projects that its members share.',
  },
  NewDeviceNoticeEnabled: {
    label: 'Notify users of sign-ins from new devices',
    help: 'Sends a mail or webhook, as the user chose, when an account is used from a browser that is new to it.',
  },
  AdminTwoFactorRequired: {
    label: 'Administrators need two-step verification',
    help: 'Administrators without two-step verification or a passkey cannot use the admin pages.',
  },
  TelegramOAuthEnabled: { label: 'Sign in with Telegram', help: 'Needs a Telegram bot token.' },
  TurnstileCheckEnabled: {
    label: 'Human check with Turnstile',
    help: 'Checks visitors before sign-in, registration and mails. Needs a Turnstile site key.',
  },
  EmailDomainRestrictionEnabled: { label: 'Restrict email domains', help: 'Only email domains of the list below can register.' },
  EmailAliasRestrictionEnabled: { label: 'Refuse email aliases', help: 'Refuses addresses with + or . before the @.' },
  EmailDomainWhitelist: { label: 'Allowed email domains', help: 'Email domains that can register.' },
  SMTPServer: { label: 'SMTP server', help: 'Sends verification codes and reminders, for example smtp.example.com.' },
  SMTPPort: { label: 'SMTP port', help: 'Usually 587, or 465 with SSL.' },
  SMTPAccount: { label: 'SMTP account', help: 'The user name at the mail server.' },
  SMTPFrom: { label: 'Sender address', help: 'Empty means the SMTP account.' },
  SMTPToken: { label: 'SMTP password', help: 'A password or an app password. It is not shown again.' },
  SMTPSSLEnabled: { label: 'Use SSL', help: 'Encrypts the connection from its start. Port 587 usually does not need it.' },
  oidc: {
    enabled: { label: 'Sign in and register with OIDC', help: 'Needs an OIDC client ID.' },
    client_id: { label: 'Client ID', help: 'Assigned when you register this site at the OIDC provider.' },
    client_secret: { label: 'Client secret', help: 'It is not shown again.' },
    extra_scopes: {
      label: 'Further scopes',
      help: 'Asked for beside openid, profile and email, such as groups for roles by the provider’s groups. Separated by spaces.',
    },
    well_known: { label: 'Well-known URL', help: 'Ends in /.well-known/openid-configuration and can fill in the three endpoints below.' },
    authorization_endpoint: { label: 'Authorization endpoint', help: 'Where users agree to sign in.' },
    token_endpoint: { label: 'Token endpoint', help: 'Where this site gets the sign-in credentials.' },
    user_info_endpoint: { label: 'User info endpoint', help: 'Where this site reads the user’s email and name.' },
  },
  GitHubClientId: { label: 'GitHub client ID', help: 'Created on GitHub’s page for OAuth apps.' },
  GitHubClientSecret: { label: 'GitHub client secret', help: 'It is not shown again.' },
  LinuxDOClientId: { label: 'Linux DO client ID', help: 'Created on the Linux DO Connect page.' },
  LinuxDOClientSecret: { label: 'Linux DO client secret', help: 'It is not shown again.' },
  WeChatServerAddress: { label: 'WeChat server address', help: 'The service that handles WeChat sign-in.' },
  WeChatServerToken: { label: 'WeChat server token', help: 'It is not shown again.' },
  WeChatAccountQRCodeImageURL: {
    label: 'Image of the WeChat QR code',
    help: 'Users scan it and answer with the word for a verification code.',
  },
  TelegramBotToken: { label: 'Telegram bot token', help: 'Verifies sign-in data. It is not shown again.' },
  TelegramBotName: { label: 'Telegram bot name', help: 'The bot of the sign-in button, without @.' },
  TurnstileSiteKey: { label: 'Turnstile site key', help: 'Shown on the sign-in and registration pages; it is public.' },
  TurnstileSecretKey: { label: 'Turnstile secret key', help: 'Verifies the check. It is not shown again.' },
  // Other settings
  Notice: { label: 'Notice', help: 'Markdown and HTML. Users see it on the next page that they open, once after each change.' },
  SystemName: { label: 'System name', help: 'Shown in page titles, the top bar and mails.' },
  Logo: { label: 'Logo address', help: 'Empty means the default logo.' },
  HomePageContent: { label: 'Home page content', help: 'Markdown and HTML. An https address is shown in a frame instead.' },
  About: { label: 'About', help: 'Markdown and HTML. An https address is shown in a frame instead.' },
  ImageHosts: {
    label: 'Hosts whose pictures are shown',
    help: 'For example cdn.example.com or *.example.com. Pictures of other hosts, as a model or a task may name them, are links. Pictures in your own logo and texts are always shown.',
  },
  StatusPageEnabled: {
    label: 'Public status page',
    help: 'Shows availability and time to first token below /status, without sign-in. A change takes up to 20 seconds.',
  },
  StatusPageGroups: {
    label: 'Groups of models',
    help: 'JSON: names of groups with patterns of their models, for example {"GPT": ["gpt-*", "o3*"]}. Models of no group are not shown. Empty: by family.',
  },
  StatusPageShowMakers: { label: 'Group by maker', help: 'Without groups of your own, models are grouped by the name of their maker.' },
  Footer: { label: 'Footer', help: 'HTML. Empty means the default footer.' },
  // Operation settings
  TopUpLink: { label: 'Top-up link', help: 'An external top-up page, for example a shop. Only the super admin can set it.' },
  QuotaPerUnit: {
    label: 'Quota per US dollar',
    help: 'How much quota one US dollar is. Changing it changes how all balances and prices are shown: leave it once the site is in use.',
  },
  RetryTimes: { label: 'Retries', help: 'How many more channels are tried after one failed.' },
  DisplayInCurrencyEnabled: { label: 'Show quota as currency', help: 'While off, the quota itself is shown.' },
  DisplayTokenStatEnabled: {
    label: 'Billing calls show the token’s quota',
    help: 'While on, billing calls answer with the quota of the token instead of the user.',
  },
  DefaultCollapseSidebar: { label: 'Collapse the sidebar by default', help: 'The choice of a user comes first.' },
  DemoSiteEnabled: { label: 'Demo site', help: 'Shows a demo badge in the top bar.' },
  SelfUseModeEnabled: { label: 'Self-use mode', help: 'Models need no price, and registration is hidden.' },
  DrawingEnabled: { label: 'Drawing', help: 'While off, the menu has no drawing log.' },
  TaskEnabled: { label: 'Tasks', help: 'While off, the menu has no task log.' },
  MjNotifyEnabled: { label: 'Allow drawing callbacks', help: 'Upstream learns the address of this server.' },
  MjAccountFilterEnabled: { label: 'Allow the accountFilter parameter', help: 'Requests can choose the upstream account.' },
  MjForwardUrlEnabled: {
    label: 'Serve images through this site',
    help: 'Images come through this server, so that upstream addresses stay private.',
  },
  MjModeClearEnabled: { label: 'Remove speed parameters from prompts', help: 'Removes --fast, --relax and --turbo.' },
  MjActionCheckSuccessEnabled: { label: 'Check the task before actions', help: 'Actions such as upscale need a task that succeeded.' },
  CheckSensitiveEnabled: { label: 'Filter sensitive words', help: 'Looks for sensitive words in requests.' },
  CheckSensitiveOnPromptEnabled: { label: 'Check prompts', help: 'Refuses requests whose prompt has a sensitive word.' },
  StopOnSensitiveEnabled: { label: 'Stop at a sensitive word', help: 'Stops a request once a sensitive word is found.' },
  SensitiveWords: { label: 'Sensitive words', help: 'One per line, without separators.' },
  LogConsumeEnabled: { label: 'Log consumption', help: 'While off, requests are charged but not logged.' },
  LogRefusedEnabled: {
    label: 'Log refused requests',
    help: 'Lists requests of a known token that were refused before they cost anything.',
  },
  LogRefusedPerMinute: { label: 'Listed per token and minute', help: 'Further refused requests are only counted.' },
  TelemetryContentEnabled: {
    label: 'Prompts and answers in traces',
    help: 'Personal data: relays send what tokens with the same switch ask and are answered to the OpenTelemetry collector, up to 16,384 characters each, without media. Off: never.',
  },
  LogRetentionDays: { label: 'Days to keep the log', help: 'Older entries are deleted. 0 keeps all.' },
  LogArchiveMonths: {
    label: 'Months to keep in the database',
    help: 'Older full months go to the object store and leave the lists, also the account’s own; they can be restored. 0 keeps all.',
  },
  ChannelTestInterval: { label: 'Test all channels every', help: 'All channels are tested at this interval. 0 means never.' },
  ChannelModelsInterval: {
    label: 'Compare models every',
    help: 'The models of all enabled channels are compared with those that upstream lists at this interval. Differences are marked in the channel list. 0 means never.',
  },
  ChannelBalanceInterval: {
    label: 'Read balances every',
    help: 'Balances of all enabled channels are read at this interval. 0 means never.',
  },
  ChannelLowBalance: {
    label: 'Low channel balance',
    help: 'In the currency of the vendor. Root is notified when a balance falls below it.',
  },
  DataExportEnabled: { label: 'Data dashboard', help: 'Collects usage and shows the dashboard in the menu.' },
  DataExportInterval: { label: 'Dashboard interval', help: 'At least 1 minute. A shorter interval shows newer data.' },
  DataExportDefaultTime: { label: 'Default dashboard granularity', help: 'Only what the charts show first.' },
  ChannelDisableThreshold: {
    label: 'Longest response time',
    help: 'When all channels are tested, slower ones are disabled. 0 means no limit.',
  },
  AutomaticDisableChannelEnabled: {
    label: 'Disable failing channels',
    help: 'Disables a channel when upstream answers with a status or a keyword from below.',
  },
  AutomaticEnableChannelEnabled: {
    label: 'Enable recovered channels',
    help: 'Tests automatically disabled channels and enables those that succeed.',
  },
  AutomaticEnableInterval: { label: 'Interval of automatic tests', help: 'Time between two tests of automatically disabled channels.' },
  AutomaticDisableKeywords: {
    label: 'Keywords that disable',
    help: 'One per line, in any case. An upstream error with one of them disables the channel.',
  },
  AutomaticDisableStatusCodes: { label: 'Statuses that disable', help: 'For example 401,500-503.' },
  AutomaticRetryStatusCodes: {
    label: 'Statuses to retry',
    help: 'Upstream statuses after which another channel is tried, for example 429,500-503.',
  },
  RetryTimeBudget: { label: 'Time limit of all attempts', help: 'No attempt starts later than this.' },
  ChannelAffinityEnabled: {
    label: 'Keep conversations on one channel',
    help: 'Uses one channel and key for a conversation where possible, for the upstream’s cache.',
  },
  ChannelAffinityRules: {
    label: 'Rules for conversations',
    help: 'Where the name of a conversation is found, by model and path, for example [{"path":"/v1/*","keys":["header:x-session-id","body:metadata.session"]}]. "retry": false keeps a failed request from other channels.',
  },
  RoutingStrategies: {
    label: 'Routing strategies',
    help: 'What decides between channels of one priority, by group: weight, latency (the fastest lately), price (the lowest cost ratio) or effective-cost (the lowest measured cost of useful tokens; the list price where requests are few). * is every other group.',
  },
  ModelFallbacks: {
    label: 'Fallback models',
    help: 'Which models answer, one after the other, when no channel can serve the requested one, or all its attempts failed before anything was sent: group → model → list of models, for example {"*":{"gpt-x":["claude-y","local-z"]}}. * is every other group or model; at most 5. The charge is that of the model that answered, and chains are not followed into those of other models.',
  },
  ClientFallbackModels: {
    label: 'Fallback models of clients',
    help: 'A request may name its own chain in the field models, as OpenRouter’s clients do; it comes before those of token and site. Off: the field goes to channels that allow it.',
  },
  ExactChannelWeights: {
    label: 'Exact weights',
    help: 'Off: every weight counts for 10 more, so weights 0, 1 and 3 get 29, 32 and 38 % of the requests. On: weights count as they are, and a channel of weight 0 is a reserve that serves only when no other of its priority can.',
  },
  ClientDisconnectDrainSeconds: {
    label: 'Reading after a disconnect',
    help: 'How long a stream is read on after its client disconnected, for exact usage. A channel’s own setting comes first.',
  },
  ClientDisconnectDrainBytes: { label: 'Bytes after a disconnect', help: 'How much of one answer is read on at most.' },
  ClientDisconnectDrains: { label: 'Answers read on at the same time', help: 'By process and channel.' },
  ErrorLanguage: { label: 'Language of errors', help: 'Used by the model routes for clients that ask for no language.' },
  QuotaErrorStatus: {
    label: 'Status of used-up quota',
    help: 'Answered when a user or token has no quota left. By client format: the status on which clients of each format stop and show the reason. 429 is OpenAI’s insufficient_quota.',
  },
  ResponseStateTtl: {
    label: 'How long answers are kept',
    help: 'How long an answer of the Responses API can be referred to after its last use. 0 keeps nothing.',
  },
  ResponseStateMaxSize: { label: 'Largest kept answer (KB)', help: 'Larger answers are not kept.' },
  ResponseStateUserSize: { label: 'Kept for one user (KB)', help: 'Beyond this, the oldest answers are removed.' },
  QuotaRemindThreshold: { label: 'Low-quota threshold', help: 'Users are reminded below this quota, unless they set their own threshold.' },
  WeeklyReportEnabled: {
    label: 'Weekly report',
    help: 'Sends users what they spent, every Monday; they can switch it off in their wallet.',
  },
  QuotaForNewUser: { label: 'Quota of new users', help: 'Credited after registration.' },
  PreConsumedQuota: { label: 'Quota held for a request', help: 'Corrected to the real charge when the request ends.' },
  HoldOutputTokens: { label: 'Output tokens held for a request', help: 'Held for requests that set no output limit.' },
  QuotaForInviter: { label: 'Reward for an invitation', help: 'Credited to the user who invited a new user.' },
  QuotaForInvitee: { label: 'Reward for an invited user', help: 'Credited to a new user who registered with an invite code.' },
  Chats: {
    label: 'Chat links',
    help: 'In a link, {key} becomes the token with sk- in front, {address} the encoded server address, and {cherryConfig} what Cherry Studio imports: cherrystudio://providers/api-keys?v=1&data={cherryConfig}.',
  },
  StreamCacheQueueLength: { label: 'Stream cache queue', help: 'Kept for older consoles; it has no effect.' },
  FileUploadPermission: {
    label: 'Lowest role that uploads files',
    help: '0: everyone; 10: administrators; 100: root. Applies to /v1/files.',
  },
  StoredBytesPerUser: { label: 'Stored for one user (MB)', help: 'Files for batches and background responses together.' },
  StoredBytesTotal: { label: 'Stored for all users (MB)', help: 'Files and background responses are kept in the database.' },
  BackgroundResponsesOpen: { label: 'Open background responses of a user', help: 'Those that have not ended.' },
  BackgroundResponsesStored: { label: 'Background responses of a user', help: 'Those that have ended included; they are kept for a day.' },
  FileDownloadPermission: { label: 'File download permission', help: 'Kept for older consoles; it has no effect.' },
  ImageUploadPermission: { label: 'Image upload permission', help: 'Kept for older consoles; it has no effect.' },
  ImageDownloadPermission: { label: 'Image download permission', help: 'Kept for older consoles; it has no effect.' },
  // Groups and prices
  GroupRatio: { label: 'Group ratio', help: 'The price ratio of each group; {"vip": 0.5} is half the price.' },
  UserUsableGroups: { label: 'Groups that users can choose', help: 'Groups for new tokens and what they are called.' },
  GroupGroupRatio: {
    label: 'Special group ratio',
    help: 'By group of the user, then group of the request; replaces the ratio of the request’s group.',
  },
  GroupModelRatio: {
    label: 'Model ratio within a group',
    help: 'By group of the request, then model (* at the end for a family); replaces the group’s ratio for this model: {"vip": {"gpt-5*": 0.8}}.',
  },
  AutoGroups: {
    label: 'Automatic groups',
    help: 'Tokens of group auto try these groups in this order, as far as their user may use them.',
  },
  ModelPrice: { label: 'Fixed model price', help: 'US dollars per call. It comes before the ratio.' },
  ModelRatio: { label: 'Model ratio', help: 'The input price: a ratio of 1 is 2 US dollars per 1M tokens.' },
  CompletionRatio: {
    label: 'Completion ratio',
    help: 'Output price divided by input price. A model without an entry has the ratio of its family, where one is known, else 1.',
  },
  ReasoningRatio: {
    label: 'Reasoning ratio',
    help: 'Price of reasoning in the answer divided by input price; the completion ratio where nothing is set.',
  },
  CacheRatio: { label: 'Cache ratio', help: 'Price of cached input divided by input price.' },
  CreateCacheRatio: {
    label: 'Cache write ratio',
    help: 'Price of input written to the cache for 5 minutes divided by input price; where nothing is set, 1.25 for Claude and 1 for others.',
  },
  CreateCacheRatio1h: {
    label: 'Cache write ratio (1 hour)',
    help: 'The same for an hour; 1.6 times the ratio above where nothing is set.',
  },
  ImageRatio: { label: 'Image input ratio', help: 'Price of image input divided by text input; 1 where nothing is set.' },
  ImageCacheRatio: {
    label: 'Image cache ratio',
    help: 'Price of cached image tokens divided by text input; the cache ratio where nothing is set.',
  },
  ImageCompletionRatio: {
    label: 'Image output ratio',
    help: 'Price of generated image tokens divided by text input; the completion ratio where nothing is set.',
  },
  VideoRatio: { label: 'Video input ratio', help: 'Price of video input divided by text input; 1 where nothing is set.' },
  AudioRatio: { label: 'Audio input ratio', help: 'Price of audio input divided by text input.' },
  AudioCacheRatio: {
    label: 'Audio cache ratio',
    help: 'Price of cached audio tokens divided by text input; the cache ratio where nothing is set.',
  },
  AudioCompletionRatio: { label: 'Audio output ratio', help: 'Price of audio output divided by audio input; 2 where nothing is set.' },
  PriceCards: { label: 'Price steps', help: 'A prompt of more than “above” tokens is priced by this card as a whole.' },
  TierRatio: {
    label: 'Service tier ratio',
    help: 'Price ratios of service tiers by model, * for all others: {"gpt-5": {"priority": 2}}, or by class: {"gemini-2.5-pro": {"flex": {"model_ratio": 0.5, "cache_ratio": 1}}}.',
  },
  PriceHours: {
    label: 'Hours with another price',
    help: 'By model, in UTC, Monday is 1; a request counts by its start: {"m": [{"days": [1, 2, 3, 4, 5], "from": "01:00", "to": "04:00", "ratio": 2}]}.',
  },
  OutputPriceRequired: {
    label: 'Models need an output price',
    help: 'On: a model that answers with text and has no completion ratio is not for sale. Off: it is charged by the ratio of its family, else 1.',
  },
  UnsoldModels: {
    label: 'Models that are not for sale',
    help: 'One per line. Nothing reminds of their missing price; requests to them are refused. One with a price is sold.',
  },
  PriceRefreshEnabled: {
    label: 'Follow the catalogue',
    help: 'Once a day prices that were taken from the catalogue are set to its newer ones, and models without a price get one. Prices that you set stay.',
  },
  PriceCatalogueAddress: {
    label: 'Address of the catalogue',
    help: 'A catalogue of Tollgate, litellm or models.dev, or /api/pricing of another gateway; empty: the one of this version.',
  },
  PriceRefreshMaxChange: {
    label: 'Largest change by itself',
    help: 'When only one source states a price; what two sources state is taken. A change of billing mode and a free price always wait for you.',
  },
  video_price_setting: {
    units: {
      label: 'Video prices',
      help: 'What the price of a video is one of, by model (* at the end for a family): per_seconds (absent: one of a video), seconds for requests without a length, factors by modes and sizes, for example {"kling-v2-*": {"per_seconds": 5, "modes": {"pro": 1.75}}}.',
    },
  },
  tool_price_setting: {
    prices: {
      label: 'Tool prices',
      help: 'US dollars per 1,000 calls by tool[/variant][:model]. A tool that is not listed costs nothing extra.',
    },
  },
  // Rate limits
  ModelRequestRateLimitEnabled: {
    label: 'Limit model requests by user',
    help: 'Limits how many model requests a user can make in a period.',
  },
  ModelRequestRateLimitDurationMinutes: { label: 'Period', help: 'Requests are counted in this period. 0 means no limit.' },
  ModelRequestRateLimitCount: { label: 'Requests in a period', help: 'Failed requests count too. 0 means no limit.' },
  ModelRequestRateLimitSuccessCount: { label: 'Successful requests in a period', help: 'Only successful requests count; at least 1.' },
  ModelRequestRateLimitGroup: {
    label: 'Limits by group',
    help: '[all requests, successful requests] by group, instead of the numbers above; for example {"vip": [0, 1000]}.',
  },
  RateLimits: {
    label: 'Shared limits',
    help: 'Requests and tokens per minute and open requests, shared by all requests of a group or for a model.',
  },
  // Models
  AnswerWithUpstreamModel: {
    label: 'Answer with upstream’s model name',
    help: 'With a model mapping, answers name the model of the channel. Off: they name the model that the client requested.',
  },
  global: { pass_through_request_enabled: { label: 'Pass requests through', help: 'Sends the request body upstream without any change.' } },
  general_setting: {
    docs_link: { label: 'Docs address', help: 'Shows a Docs entry in the top bar.' },
    ping_interval_enabled: {
      label: 'Keep streams alive',
      help: 'Sends something at intervals while upstream is silent, so that networks in between and agents do not give up: a comment, for Gemini clients an empty line, in streams of /v1/responses an event.',
    },
    ping_interval_seconds: {
      label: 'Keep-alive interval',
      help: 'Time between two of them, at least 20 seconds: after the first one a refusal by the vendor comes inside the stream, where agents do not shorten their conversation. A shorter interval that is stored stays in force until you change it.',
    },
  },
  claude: {
    model_headers_settings: { label: 'Claude headers', help: 'Headers added by model. Each header is a list.' },
    default_max_tokens: {
      label: 'Claude default max_tokens',
      help: 'Used by requests without max_tokens, by model; default applies to all others.',
    },
    thinking_adapter_enabled: { label: 'Claude thinking names', help: 'Models whose name ends in -thinking think.' },
    thinking_adapter_budget_tokens_percentage: {
      label: 'Claude thinking budget',
      help: 'The share of max_tokens that thinking may use, 0.1 to 1.',
    },
  },
  gemini: {
    safety_settings: { label: 'Gemini safety settings', help: 'The blocking level by category; default applies to all others.' },
    version_settings: { label: 'Gemini API version', help: 'The API version by model; default applies to all others.' },
    supported_imagine_models: { label: 'Gemini image models', help: 'Models that can answer with images, as a JSON list.' },
    thinking_adapter_enabled: {
      label: 'Gemini thinking names',
      help: 'Models whose name ends in -thinking or -nothinking think or do not think.',
    },
    thinking_adapter_budget_tokens_percentage: {
      label: 'Gemini thinking budget',
      help: 'The share of the longest answer that thinking may use, 0.1 to 1. What exceeds 24576 is ignored.',
    },
  },
} as const satisfies Texts<typeof zh>
