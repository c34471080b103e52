import { AppError } from '@tollgate/contracts/app-error'
import { DELIVERY_STATES, type DeliveryState, type Language, type DeliveryTemplate } from '@tollgate/contracts/texts/mails'
import type { OutboxEntry } from '@tollgate/contracts/resources/deliveries'
import {
  countDeliveries,
  listDeliveries,
  reviveDelivery,
  type DeliveryFilter,
  type DeliveryRow,
} from '@tollgate/db/queries/deliveries/deliveries'
import { notifyUser, wayOf } from '@tollgate/db/queries/deliveries/notifications'
import { findUser } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { parseAddress } from '@tollgate/mail/addresses'
import { smtpProblem } from '@tollgate/mail/smtp-options'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'

/** The worker stops after 30 seconds. */
const TEST_DEADLINE_MS = 35_000

type Asked = { readonly p: number; readonly page_size: number }
type Page = { items: OutboxEntry[]; total: number; page: number; page_size: number }

/** An unknown state does not filter. */
export function listAll(deps: Deps, { state, ...asked }: Asked & { readonly state: string }): Promise<Page> {
  const known = DELIVERY_STATES.find((one) => one === state)
  return listPage(deps, asked, known === undefined ? {} : { state: known })
}

export function listOwn(deps: Deps, actor: Actor, asked: Asked): Promise<Page> {
  return listPage(deps, asked, { user_id: actor.id })
}

async function listPage(deps: Deps, asked: Asked, filter: DeliveryFilter): Promise<Page> {
  const { page, page_size, limit, offset } = pagingOf(asked)
  const [rows, total] = await Promise.all([listDeliveries(deps.db, { ...filter, offset, limit }), countDeliveries(deps.db, filter)])
  return { items: rows.map(toOutboxEntry), total, page, page_size }
}

function toOutboxEntry(delivery: DeliveryRow): OutboxEntry {
  const { details: _details, language: _language, endpoint_id: _endpoint, target, state, template, channel, ...row } = delivery
  return {
    ...row,
    channel,
    target: channel === 'mail' ? target : withoutQuery(target),
    // The column's check allows these states only, and only `createDelivery` writes templates.
    state: state as DeliveryState,
    template: template as DeliveryTemplate,
  }
}

function withoutQuery(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.origin}${url.pathname}`
}

export async function retry(deps: Deps, by: By, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await reviveDelivery(tx, id, nowSeconds(deps)))) throw new AppError('record.missing')
    await recordAudit(deps, tx, by, [{ action: 'retry', resource: 'delivery', resource_id: id }])
  })
}

/** Asks the worker to send a mail now, so that the operator sees what the mail server answers. */
export async function sendTestMail(deps: Deps, { actor, language }: { actor: Actor; language: Language }, to: string): Promise<void> {
  const wanted = to.trim() === '' ? ((await findUser(deps.db, actor.id))?.email ?? '') : to
  const address = parseAddress(wanted)
  if (address === undefined) throw new AppError('email.invalid')
  const problem = smtpProblem(await deps.options.all())
  if (problem !== undefined) throw new AppError(problem)
  const result = await deps.jobs.ask('send-test-mail', { to: address, language }, TEST_DEADLINE_MS)
  if (result === 'timeout') throw new AppError('mail.test-timeout')
  if (!result.ok) throw new AppError('mail.test-failed', { detail: result.message })
}

/** Queues a test notice; the own list shows what became of it. */
export async function sendTestNotice(deps: Deps, actor: Actor): Promise<void> {
  const user = await findUser(deps.db, actor.id)
  if (user === undefined || wayOf(user) === undefined) throw new AppError('notice.no-target')
  const id = await deps.db
    .transaction()
    .execute((tx) => notifyUser(tx, { user_id: actor.id, notice: 'test', values: {}, now: nowSeconds(deps) }))
  if (id === undefined) throw new AppError('notice.too-many')
}
