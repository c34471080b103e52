import { option } from './option.ts'

const EMAIL_DOMAINS = ['gmail.com', '163.com', '126.com', 'qq.com', 'outlook.com', 'hotmail.com', 'icloud.com', 'yahoo.com', 'foxmail.com']

/** Sign-in and registration. */
export const accessOptions = {
  PasswordLoginEnabled: option.flag({ default: true }),
  PasswordRegisterEnabled: option.flag({ default: true }),
  RegisterEnabled: option.flag({ default: true }),
  EmailVerificationEnabled: option.flag({ default: false, publicAs: 'email_verification' }),
  EmailDomainRestrictionEnabled: option.flag({ default: false }),
  EmailAliasRestrictionEnabled: option.flag({ default: false }),
  EmailDomainWhitelist: option.csv({ default: EMAIL_DOMAINS }),
  /** Ours: accounts of role 10 and up reach their pages only with two-step verification or a passkey. */
  AdminTwoFactorRequired: option.flag({ default: false }),
  /** Ours: who may found organisations. */
  OrganisationFounders: option.choice(['none', 'admins', 'all'], { default: 'none' }),
  /** Ours: notifies the owner of an account of a sign-in from a browser that is new to it. */
  NewDeviceNoticeEnabled: option.flag({ default: true }),
  GitHubOAuthEnabled: option.flag({ default: false, publicAs: 'github_oauth' }),
  GitHubClientId: option.text({ default: '', publicAs: 'github_client_id' }),
  GitHubClientSecret: option.text({ default: '', secret: true }),
  LinuxDOOAuthEnabled: option.flag({ default: false, publicAs: 'linuxdo_oauth' }),
  LinuxDOClientId: option.text({ default: '', publicAs: 'linuxdo_client_id' }),
  LinuxDOClientSecret: option.text({ default: '', secret: true }),
  WeChatAuthEnabled: option.flag({ default: false, publicAs: 'wechat_login' }),
  WeChatServerAddress: option.url({ default: '' }),
  WeChatServerToken: option.text({ default: '', secret: true }),
  WeChatAccountQRCodeImageURL: option.url({ default: '', keepsSlash: true, publicAs: 'wechat_qrcode' }),
  TelegramOAuthEnabled: option.flag({ default: false, publicAs: 'telegram_oauth' }),
  TelegramBotToken: option.text({ default: '', secret: true }),
  TelegramBotName: option.text({ default: '', publicAs: 'telegram_bot_name' }),
  TurnstileCheckEnabled: option.flag({ default: false, publicAs: 'turnstile_check' }),
  TurnstileSiteKey: option.text({ default: '', publicAs: 'turnstile_site_key' }),
  TurnstileSecretKey: option.text({ default: '', secret: true }),
  'oidc.enabled': option.flag({ default: false, publicAs: 'oidc_enabled' }),
  'oidc.client_id': option.text({ default: '', publicAs: 'oidc_client_id' }),
  'oidc.client_secret': option.text({ default: '', secret: true }),
  'oidc.extra_scopes': option.text({ default: '' }),
  'oidc.well_known': option.url({ default: '', keepsSlash: true }),
  'oidc.authorization_endpoint': option.url({ default: '', keepsSlash: true, publicAs: 'oidc_authorization_endpoint' }),
  'oidc.token_endpoint': option.url({ default: '', keepsSlash: true }),
  'oidc.user_info_endpoint': option.url({ default: '', keepsSlash: true }),
}
