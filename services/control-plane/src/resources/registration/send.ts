import { AppError } from '@tollgate/contracts/app-error'
import type { Language } from '@tollgate/contracts/texts/mails'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import { parseAddress } from '@tollgate/mail/addresses'
import { smtpProblem } from '@tollgate/mail/smtp-options'
import { nowSeconds, type Deps } from '../../deps.ts'
import { limitMails, type Requester } from '../../mailbox-limits.ts'
import { checkAddress } from './address.ts'

type Caller = Requester & { readonly language: Language }

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

async function queueMail(deps: Deps, caller: Caller, { to, template }: CodeMail): Promise<void> {
  const problem = smtpProblem(await deps.options.all())
  if (problem !== undefined) throw new AppError(problem)
  await limitMails(deps, caller, { purpose: template, address: to })
  await deps.db
    .transaction()
    .execute((tx) => enqueueMail(tx, { to, template, language: caller.language, values: {}, now: nowSeconds(deps) }))
}
