import { randomBytes } from 'node:crypto'
import type { MailTemplate } from '@tollgate/contracts/texts/mails'
import type { DeliveryRow } from '@tollgate/db/queries/deliveries/deliveries'
import { saveMailCode, type CodePurpose } from '@tollgate/db/queries/users/mail-codes'
import { isEmailTaken } from '@tollgate/db/queries/users/bindings'
import { CODE_MINUTES, codeSubject } from '@tollgate/mail/mail-codes'
import { renderMail } from '@tollgate/mail/render-mail'
import type { Deps } from '../deps.ts'
import { siteOf, type DeliveryOptions, type SiteDeps } from './options.ts'
import { sendMail } from './smtp.ts'

export type MailDeps = Pick<Deps, 'db' | 'secrets' | 'smtp' | 'now'> & SiteDeps
type Content = { readonly template: MailTemplate; readonly values: Readonly<Record<string, string>> }

/** Sends one mail. `nothing`: there is nothing to tell this address. Throws MailError. */
export async function deliverMail(
  deps: MailDeps,
  options: DeliveryOptions,
  row: DeliveryRow,
  signal: AbortSignal,
): Promise<'sent' | 'nothing'> {
  const content = await contentOf(deps, options, row)
  if (content === undefined) return 'nothing'
  const site = siteOf(options)
  const mail = renderMail({ ...content, language: row.language, site, minutes: CODE_MINUTES })
  await sendMail(
    deps.smtp,
    options,
    { ...mail, to: row.target, from_name: site.name, message_id: `tollgate-${row.id}-${row.created_at}` },
    signal,
  )
  return 'sent'
}

/**
 * Decides here, and not when the mail is queued, whether an address has an account: the call that queued it did the same work for every
 * address and so reveals none.
 */
async function contentOf(deps: MailDeps, options: DeliveryOptions, row: DeliveryRow): Promise<Content | undefined> {
  // The column holds what enqueueMail was given.
  const template = row.template as MailTemplate
  if (template === 'verification') {
    if (await isEmailTaken(deps.db, row.target)) return { template: 'address-taken', values: {} }
    return { template, values: { code: await createCode(deps, 'verification', row.target, 3) } }
  }
  if (template === 'notification-code') return { template, values: { code: await createCode(deps, 'notification', row.target, 3) } }
  if (template === 'reset') {
    if (!(await isEmailTaken(deps.db, row.target))) return undefined
    const token = await createCode(deps, 'reset', row.target, 16)
    const query = new URLSearchParams({ email: row.target, token })
    return { template, values: { link: `${siteOf(options).address}/user/reset?${query}` } }
  }
  return { template, values: row.details }
}

async function createCode({ db, secrets, now }: MailDeps, purpose: CodePurpose, address: string, bytes: number): Promise<string> {
  const code = randomBytes(bytes).toString('hex')
  const expires_at = Math.floor(now() / 1000) + CODE_MINUTES * 60
  await saveMailCode(db, { purpose, address, code_hash: secrets.fingerprint(codeSubject(purpose, address, code)), expires_at })
  return code
}
