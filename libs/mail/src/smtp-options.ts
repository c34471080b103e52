import type { ErrorCode } from '@tollgate/contracts/errors'
import type { OptionValues } from '@tollgate/contracts/options/registry'

export type SmtpOptions = Pick<OptionValues, 'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SMTPSSLEnabled'>

/** The address that mails come from. */
export function senderOf({ SMTPFrom, SMTPAccount }: Pick<SmtpOptions, 'SMTPFrom' | 'SMTPAccount'>): string {
  return SMTPFrom === '' ? SMTPAccount : SMTPFrom
}

/** Why no mail can be sent with these options; undefined when they are complete. */
export function smtpProblem(options: Pick<SmtpOptions, 'SMTPServer' | 'SMTPFrom' | 'SMTPAccount'>): ErrorCode | undefined {
  if (options.SMTPServer === '') return 'mail.not-set-up'
  return senderOf(options).includes('@') ? undefined : 'mail.account'
}

/** Servers that offer PLAIN but accept only LOGIN. */
export function needsLogin({ SMTPServer, SMTPAccount }: Pick<SmtpOptions, 'SMTPServer' | 'SMTPAccount'>): boolean {
  return /outlook|onmicrosoft/i.test(SMTPAccount) || /^smtp\.(?:sendcloud\.net|azurecomm\.net)$/i.test(SMTPServer)
}
