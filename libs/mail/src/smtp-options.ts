import type { ErrorCode } from '@tollgate/contracts/errors'
import type { OptionValues } from '@tollgate/contracts/options/registry'

export type SmtpOptions = Pick<OptionValues, 'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SMTPSSLEnabled'>

type Sender = Pick<SmtpOptions, 'SMTPFrom' | 'SMTPAccount'>

/** `Name <address>`, with the name in quotes or not: https://www.rfc-editor.org/rfc/rfc5322#section-3.4 */
const NAMED = /^\s*"?([^"<>]*?)"?\s*<([^<>\s]+)>\s*$/

/** The address that mails come from. */
export function senderOf({ SMTPFrom, SMTPAccount }: Sender): string {
  const from = SMTPFrom.trim()
  return from === '' ? SMTPAccount : (NAMED.exec(from)?.[2] ?? from)
}

/** The name in the sender address; empty: it has none. */
export function senderNameOf({ SMTPFrom }: Pick<Sender, 'SMTPFrom'>): string {
  return NAMED.exec(SMTPFrom)?.[1] ?? ''
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
