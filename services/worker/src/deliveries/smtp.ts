import { createTransport } from 'nodemailer'
import { DELIVERY_FAILURES } from '@tollgate/contracts/failures/delivery-failures'
import { needsLogin, senderNameOf, senderOf, smtpProblem, type SmtpOptions } from '@tollgate/mail/smtp-options'
import type { RenderedMail } from '@tollgate/mail/render-mail'
import { visible } from '@tollgate/telemetry/visible'
import type { SmtpConnect } from '../senders/smtp-connect.ts'

/** `server`: no mail gets through now, so later ones wait too. `refused`: this mail will never be accepted. */
export type MailFailure = 'server' | 'later' | 'refused'

/** Why a mail was not sent; `message` is for operators and never contains the password. */
export class MailError extends Error {
  readonly failure: MailFailure

  constructor(failure: MailFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'MailError'
    this.failure = failure
  }
}

export type OutgoingMail = RenderedMail & {
  readonly to: string
  /** Name of the site, shown before the sender's address. */
  readonly from_name: string
  /** The same for every attempt, so that a receiver recognises a repeated mail. */
  readonly message_id: string
}

const GREETING_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 20_000
const MAX_ERROR = 300

/** Sends one mail over a connection of its own. Throws MailError. */
export async function sendMail(connect: SmtpConnect, options: SmtpOptions, mail: OutgoingMail, signal: AbortSignal): Promise<void> {
  const problem = smtpProblem(options)
  if (problem !== undefined) throw new MailError('server', DELIVERY_FAILURES[problem === 'mail.account' ? 'no-sender' : 'no-server'])
  try {
    const connection = await connect.open(options.SMTPServer, options.SMTPPort)
    try {
      await createTransport(transportOf(options, connection)).sendMail({ ...messageOf(options, mail), signal })
    } finally {
      connection.destroy()
    }
  } catch (error) {
    throw toMailError(error, options.SMTPToken)
  }
}

type Connection = Awaited<ReturnType<SmtpConnect['open']>>

function transportOf(options: SmtpOptions, connection: Connection) {
  const { SMTPServer, SMTPPort, SMTPAccount, SMTPToken, SMTPSSLEnabled } = options
  const secure = SMTPSSLEnabled || SMTPPort === 465
  return {
    host: SMTPServer,
    port: SMTPPort,
    connection,
    secure,
    // A password crosses a public network under TLS only.
    requireTLS: !secure && SMTPToken !== '' && !isPrivate(connection.remoteAddress ?? ''),
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    ...(SMTPToken === '' ? {} : { auth: { user: SMTPAccount, pass: SMTPToken } }),
    ...(needsLogin(options) ? { authMethod: 'LOGIN' } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function messageOf(options: SmtpOptions, { to, from_name, message_id, subject, text, html }: OutgoingMail) {
  const address = senderOf(options)
  return {
    from: { name: senderNameOf(options) || from_name, address },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${message_id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const isPrivate = (address: string): boolean => /^(?:::ffff:)?(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^::1$|^f[cd]/i.test(address)

type SmtpFailure = { readonly responseCode?: unknown; readonly command?: unknown; readonly response?: unknown }

function toMailError(error: unknown, password: string): MailError {
  if (error instanceof MailError) return error
  const { responseCode, command, response }: SmtpFailure = typeof error === 'object' && error !== null ? error : {}
  const told = typeof response === 'string' ? response : error instanceof Error ? error.message : String(error)
  const message = visible(password === '' ? told : told.replaceAll(password, '***'), MAX_ERROR)
  return new MailError(failureOf(responseCode, command), message)
}

/** Only an answer to the recipient or to the mail itself is about this mail; everything else is about the server or its options. */
function failureOf(code: unknown, command: unknown): MailFailure {
  if (typeof code !== 'number' || (command !== 'RCPT TO' && command !== 'DATA')) return 'server'
  return code >= 500 ? 'refused' : 'later'
}
