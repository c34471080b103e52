import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { addressBlock } from '@tollgate/http/client-ip'
import { mailboxOf } from '@tollgate/mail/addresses'
import { keys } from '@tollgate/redis/keys'
import { forgetAttempts, takeAttempt } from '@tollgate/redis/stores/attempts'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import type { Deps } from './deps.ts'

/** Who wants something of a mailbox: a signed-in account has a share of its own, which visitors cannot use up. */
export type Requester = { readonly c: Context; readonly ip: string; readonly actor?: { readonly id: number } | undefined }

type Purpose = 'verification' | 'reset' | 'notification' | 'invitation' | 'test'
type Mailbox = { readonly purpose: Purpose; readonly address: string }

const HOUR_MS = 3_600_000
/** Mails of one purpose to one mailbox, for one account or client address. */
const OWN = [
  { name: 'wait', max: 1, windowMs: 30_000 },
  { name: 'hour', max: 10, windowMs: HOUR_MS },
] as const
/** The same for all visitors together, and for all accounts. */
const ALL = { name: 'all', max: 40, windowMs: HOUR_MS } as const

/** A code lives as long. */
const TRIES_MS = 600_000
/** Tries at the codes of one mailbox by one account or client address: five, then none for ten minutes. */
const OWN_TRIES = { free: 5, firstWaitMs: TRIES_MS, longestWaitMs: TRIES_MS, lifetimeMs: TRIES_MS } as const
/** The same of all visitors together: a code has 16 million values. */
const VISITORS_TRIES = 200

type LimitDeps = Pick<Deps, 'redis'>

/** Throws when too many mails are wanted for this mailbox, whichever alias names it. */
export async function limitMails({ redis }: LimitDeps, requester: Requester, mailbox: Mailbox): Promise<void> {
  const subject = subjectOf(mailbox)
  for (const { name, max, windowMs } of [...OWN, ALL]) {
    const part = name === 'all' ? groupOf(requester) : nameOf(requester)
    const taken = await takeFromWindow(redis, keys.consoleWindow(`mailbox-${name}`, `${subject}:${part}`), max, windowMs)
    if (!taken.isTaken) refuse(requester, taken.retry_after_ms, mailbox.purpose === 'invitation' ? refusalOfInvitation(name) : undefined)
  }
}

type Refusal = (seconds: number) => AppError

const refusalOfInvitation = (window: 'wait' | 'hour' | 'all'): Refusal =>
  window === 'wait'
    ? (seconds) => new AppError('organisations.invited-lately', { seconds })
    : (seconds) => new AppError('organisations.invitations-of-mailbox', { minutes: Math.ceil(seconds / 60) })

/** Counts a try at the code of a mailbox and returns what to call when it was right; throws when none is left. */
export async function allowCodeTry({ redis }: LimitDeps, requester: Requester, mailbox: Mailbox): Promise<() => Promise<void>> {
  const subject = subjectOf(mailbox)
  const own = keys.attempts('mail-code', `${subject}:${nameOf(requester)}`)
  const taken = await takeAttempt(redis, own, OWN_TRIES)
  if (!taken.isTaken) refuse(requester, taken.retry_after_ms)
  if (requester.actor === undefined) {
    const all = await takeFromWindow(redis, keys.consoleWindow('mail-code', subject), VISITORS_TRIES, TRIES_MS)
    if (!all.isTaken) refuse(requester, all.retry_after_ms)
  }
  return () => forgetAttempts(redis, [own])
}

function refuse({ c }: Requester, retry_after_ms: number, toError: Refusal = () => new AppError('rate.console')): never {
  const seconds = Math.max(1, Math.ceil(retry_after_ms / 1000))
  c.header('Retry-After', String(seconds))
  throw toError(seconds)
}

const subjectOf = ({ purpose, address }: Mailbox): string =>
  `${purpose}:${createHash('sha256').update(mailboxOf(address)).digest('hex').slice(0, 32)}`

const nameOf = ({ ip, actor }: Requester): string => (actor === undefined ? addressBlock(ip) : `user-${actor.id}`)
const groupOf = ({ actor }: Requester): string => (actor === undefined ? 'visitors' : 'accounts')
