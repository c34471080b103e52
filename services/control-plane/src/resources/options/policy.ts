import type { ErrorCode } from '@tollgate/contracts/errors'
import { smtpProblem } from '@tollgate/mail/smtp-options'
import type { OptionKey, OptionValues } from '@tollgate/contracts/options/registry'

type Need = { readonly isMissing: (values: OptionValues) => boolean; readonly code: ErrorCode }

/** Options that must be set before a switch can be turned on. */
const needs: Partial<Record<OptionKey, Need>> = {
  GitHubOAuthEnabled: { isMissing: (values) => values.GitHubClientId === '', code: 'option.github' },
  'oidc.enabled': { isMissing: (values) => values['oidc.client_id'] === '', code: 'option.oidc' },
  LinuxDOOAuthEnabled: { isMissing: (values) => values.LinuxDOClientId === '', code: 'option.linuxdo' },
  EmailDomainRestrictionEnabled: { isMissing: (values) => values.EmailDomainWhitelist.length === 0, code: 'option.email-domains' },
  WeChatAuthEnabled: { isMissing: (values) => values.WeChatServerAddress === '', code: 'option.wechat' },
  TurnstileCheckEnabled: { isMissing: (values) => values.TurnstileSiteKey === '', code: 'option.turnstile' },
  EmailVerificationEnabled: { isMissing: (values) => smtpProblem(values) !== undefined, code: 'option.mail-server' },
  TelegramOAuthEnabled: { isMissing: (values) => values.TelegramBotToken === '', code: 'option.telegram' },
}

/** The reason why a switch cannot be turned on now, or undefined. */
export function refusalOfSwitch(key: OptionKey, value: unknown, values: OptionValues): ErrorCode | undefined {
  const need = needs[key]
  return need !== undefined && value === true && need.isMissing(values) ? need.code : undefined
}
