import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { TestCertificate } from '@tollgate/testing/certificate'

export type ReceivedMail = {
  readonly to: string
  readonly from: string
  /** Headers and body as they were sent. */
  readonly source: string
  readonly isSecure: boolean
  readonly user: string
}

type Refusal = { readonly code: number; readonly text: string }
type TestSmtpOptions = {
  readonly certificate?: TestCertificate
  /** TLS from the first byte. */
  readonly isTls?: boolean
  readonly credentials?: { readonly user: string; readonly pass: string }
  readonly options?: SMTPServerOptions
}

/** A real mail server on a free port. `refuse` decides what it answers to a recipient. */
export async function startTestSmtp({ certificate, isTls = false, credentials, options = {} }: TestSmtpOptions = {}) {
  const received: ReceivedMail[] = []
  const state: { refuse: (address: string) => Refusal | undefined; port: number } = { refuse: () => undefined, port: 0 }
  const start = async (): Promise<SMTPServer> => {
    const server = new SMTPServer({
      secure: isTls,
      ...certificate,
      disabledCommands: [...(certificate === undefined ? ['STARTTLS'] : []), ...(credentials === undefined ? ['AUTH'] : [])],
      authOptional: credentials === undefined,
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        if (credentials !== undefined && username === credentials.user && password === credentials.pass) done(null, { user: username })
        else done(Object.assign(new Error('5.7.8 authentication failed'), { responseCode: 535 }))
      },
      onRcptTo: ({ address }, _session, done) => {
        const refusal = state.refuse(address)
        done(refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          received.push({
            to: session.envelope.rcptTo[0]?.address ?? '',
            from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
            source: Buffer.concat(chunks).toString(),
            isSecure: session.secure,
            user: String(session.user ?? ''),
          })
          done()
        })
      },
      ...options,
    })
    server.on('error', () => undefined)
    server.listen(state.port, '127.0.0.1')
    await once(server.server, 'listening')
    state.port = (server.server.address() as AddressInfo).port // a TCP server
    return server
  }
  let running: SMTPServer | undefined = await start()
  const stop = async (): Promise<void> => {
    const closing = running
    running = undefined
    if (closing !== undefined) await new Promise<void>((resolve) => closing.close(() => resolve()))
  }
  return {
    received,
    get port() {
      return state.port
    },
    refuse: (decide: (address: string) => Refusal | undefined) => {
      state.refuse = decide
    },
    stop,
    /** Listens again on the same port. */
    restart: async () => {
      running = await start()
    },
  }
}
export type TestSmtp = Awaited<ReturnType<typeof startTestSmtp>>

/** The readable text of a mail's plain part. */
export function textPartOf({ source }: Pick<ReceivedMail, 'source'>): string {
  const [, boundary = ''] = /boundary="?([^";\r\n]+)/.exec(source) ?? []
  const part = source.split(`--${boundary}`).find((one) => /content-type: text\/plain/i.test(one)) ?? ''
  const [head = '', ...body] = part.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return text
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
