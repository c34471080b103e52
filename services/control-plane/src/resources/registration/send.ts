import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import type { Language } from '@tollgate/contracts/mails'
import { enqueueMail } from '@tollgate/db/queries/mails'
import { mailboxOf, parseAddress } from '@tollgate/mail/addresses'
import { smtpProblem } from '@tollgate/mail/smtp-options'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import { nowSeconds, type Deps } from '../../deps.ts'
import { checkAddress } from './address.ts'

type Caller = { readonly c: Context; readonly language: Language }

/** Mails to one mailbox, from all client addresses together; the limit per client address is that of critical calls. */
const PER_MAILBOX = [
  { name: 'wait', max: 1, windowMs: 30_000 },
  { name: 'hour', max: 10, windowMs: 3_600_000 },
] as const

/** Mails a code that proves an address. The answer does not depend on whether an account has it. */
export async function sendVerification(deps: Deps, caller: Caller, email: string): Promise<void> {
  const options = await deps.options.all()
  const to = checkAddress(email, options)
  await queueMail(deps, caller, { to, template: 'verification' })
}

/** Mails a reset link, if an account has this address; the answer is the same if none has. */
export async function sendReset(deps: Deps, caller: Caller, email: string): Promise<void> {
  const to = parseAddress(email)
  if (to === undefined) throw new AppError('params.invalid')
  await queueMail(deps, caller, { to, template: 'reset' })
}

type CodeMail = { readonly to: string; readonly template: 'verification' | 'reset' }

async function queueMail(deps: Deps, { c, language }: Caller, { to, template }: CodeMail): Promise<void> {
  const problem = smtpProblem(await deps.options.all())
  if (problem !== undefined) throw new AppError(problem)
  await limitMailbox(deps, c, `${template}:${createHash('sha256').update(mailboxOf(to)).digest('hex').slice(0, 32)}`)
  await deps.db.transaction().execute((tx) => enqueueMail(tx, { to, template, language, values: {}, now: nowSeconds(deps) }))
}

async function limitMailbox({ redis }: Pick<Deps, 'redis'>, c: Context, subject: string): Promise<void> {
  for (const { name, max, windowMs } of PER_MAILBOX) {
    const taken = await takeFromWindow(redis, keys.consoleWindow(`mailbox-${name}`, subject), max, windowMs)
    if (taken.isTaken) continue
    c.header('Retry-After', String(Math.max(1, Math.ceil(taken.retry_after_ms / 1000))))
    throw new AppError('rate.console')
  }
}
