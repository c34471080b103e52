import { randomBytes } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import {
  MAX_WEBHOOK_ENDPOINTS,
  type EventDelivery,
  type WebhookEndpoint,
  type WebhookEndpointForm,
  type WebhookSecret,
} from '@tollgate/contracts/resources/webhook-endpoints'
import type { DeliveryState } from '@tollgate/contracts/texts/mails'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { isWebhookAddress } from '@tollgate/contracts/values/webhook-address'
import type { Tx } from '@tollgate/db/connect'
import type { DeliveryRow } from '@tollgate/db/queries/deliveries/deliveries'
import { queueFor } from '@tollgate/db/queries/deliveries/events'
import {
  countWebhookEndpoints,
  createWebhookEndpoint,
  findWebhookEndpoint,
  listEventDeliveries,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  reviveEvent,
  setWebhookSecrets,
  updateWebhookEndpoint,
  type WebhookEndpointRow,
} from '@tollgate/db/queries/deliveries/webhook-endpoints'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'

const SHOWN_DELIVERIES = 100
/** How long the secret before a rotation signs too. */
const OLD_SECRET_S = DAY_SECONDS
/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: 24 to 64 bytes. */
const SECRET_BYTES = 32

export async function listEndpoints({ db }: Pick<Deps, 'db'>): Promise<WebhookEndpoint[]> {
  const rows = await listWebhookEndpoints(db)
  return rows.map(({ secret_sealed: _secret, old_secret_sealed: _old, ...endpoint }) => endpoint)
}

export async function createEndpoint(deps: Deps, by: By, form: WebhookEndpointForm): Promise<WebhookSecret> {
  checkAddress(form.url)
  const secret = makeSecret()
  const id = await deps.db.transaction().execute(async (tx) => {
    if ((await countWebhookEndpoints(tx)) >= MAX_WEBHOOK_ENDPOINTS)
      throw new AppError('webhooks.too-many', { count: MAX_WEBHOOK_ENDPOINTS })
    const created = await createWebhookEndpoint(tx, form, nowSeconds(deps))
    await setWebhookSecrets(tx, { id: created, secret_sealed: seal(deps, created, secret) })
    await audit(deps, tx, by, { action: 'create', id: created, changes: changedFields({}, form) })
    return created
  })
  return { id, secret }
}

type Change = { readonly id: number; readonly form: WebhookEndpointForm }

export async function updateEndpoint(deps: Deps, by: By, { id, form }: Change): Promise<void> {
  checkAddress(form.url)
  await deps.db.transaction().execute(async (tx) => {
    const { name, url, events, enabled } = await requireEndpoint(tx, id)
    await updateWebhookEndpoint(tx, id, form)
    await audit(deps, tx, by, { action: 'update', id, changes: changedFields({ name, url, events, enabled }, form) })
  })
}

export async function removeEndpoint(deps: Deps, by: By, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { name } = await requireEndpoint(tx, id)
    await removeWebhookEndpoint(tx, id)
    await audit(deps, tx, by, { action: 'delete', id, changes: [{ field: 'name', before: name }] })
  })
}

export async function rotateSecret(deps: Deps, by: By, id: number): Promise<WebhookSecret> {
  const secret = makeSecret()
  await deps.db.transaction().execute(async (tx) => {
    const { secret_sealed } = await requireEndpoint(tx, id)
    const old = { old_secret_sealed: secret_sealed, old_secret_until: nowSeconds(deps) + OLD_SECRET_S }
    await setWebhookSecrets(tx, { id, secret_sealed: seal(deps, id, secret), ...old })
    await audit(deps, tx, by, { action: 'update', id, changes: [{ field: 'secret' }] })
  })
  return { id, secret }
}

export async function sendTest(deps: Deps, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await requireEndpoint(tx, id)
    const data = { message: 'This is a test of a webhook endpoint.' }
    await queueFor(tx, [endpoint], { type: 'test', data, now: nowSeconds(deps) })
  })
}

export async function listDeliveries({ db }: Pick<Deps, 'db'>, id: number): Promise<EventDelivery[]> {
  return (await listEventDeliveries(db, id, SHOWN_DELIVERIES)).map(toEventDelivery)
}

function toEventDelivery({ id, details, state, attempts, created_at, due_at, ended_at, error }: DeliveryRow): EventDelivery {
  const { id: event_id = '', type = '' } = details
  // The column's check allows these states only.
  return { id, event_id, type, state: state as DeliveryState, attempts, created_at, due_at, ended_at, error }
}

export async function sendAgain(deps: Deps, by: By, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if ((await reviveEvent(tx, id, nowSeconds(deps))) === undefined) throw new AppError('record.missing')
    await recordAudit(deps, tx, by, [{ action: 'retry', resource: 'delivery', resource_id: id }])
  })
}

async function requireEndpoint(tx: Tx, id: number): Promise<WebhookEndpointRow> {
  const row = await findWebhookEndpoint(tx, id)
  if (row === undefined) throw new AppError('record.missing')
  return row
}

function checkAddress(address: string): void {
  if (!isWebhookAddress(address)) throw new AppError('webhooks.address')
}

const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

const seal = ({ sealers }: Pick<Deps, 'sealers'>, id: number, secret: string): string =>
  sealers.options.seal(secret, sealedBy.webhookEndpoint(id))

type Entry = { readonly action: string; readonly id: number; readonly changes: ReturnType<typeof changedFields> }

const audit = (deps: Deps, tx: Tx, by: By, { action, id, changes }: Entry): Promise<void> =>
  recordAudit(deps, tx, by, [{ action, resource: 'webhook-endpoint', resource_id: id, changes }])
