import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { isObject, objectAt, textAt, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { answerJson, listModels } from '../models.ts'

/** A browser sends the secret in a header. */
const MAX_SESSION = 4096
const LIFE_S = { min: 10, usual: 600, max: 7200 }

/** POST /v1/realtime/client_secrets. https://developers.openai.com/api/reference/resources/realtime/subresources/client_secrets */
export async function createClientSecret(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record, credential } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const body = await readSmallBody(context, record.user_id, deps)
  const session = readSession(body)
  const model = textAt(session, 'model') ?? ''
  if (!(await listModels(context, deps)).includes(model)) throw new AppError('model.unknown', { model })
  const expires_at = Math.floor(deps.now() / 1000) + lifeOf(objectAt(body, 'expires_after'))
  const value = deps.clientSecrets.issue({ credential, expires_at, session })
  answerJson(context, {
    value,
    expires_at,
    session: { ...session, id: `sess_${randomBytes(12).toString('hex')}`, object: 'realtime.session', expires_at },
  })
}

const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

function readSession({ session }: JsonObject): JsonObject {
  if (!isObject(session)) throw refusal('session must be an object', 'session')
  const type = textAt(session, 'type')
  if (type !== 'realtime') throw refusal('session.type must be realtime: other sessions are not offered by this gateway', 'session.type')
  if (textAt(session, 'model') === undefined) throw refusal('session.model is required', 'session.model')
  if (JSON.stringify(session).length > MAX_SESSION)
    throw refusal(`session has more than ${MAX_SESSION} characters: send the rest as session.update`, 'session')
  return session
}

function lifeOf({ anchor, seconds }: JsonObject): number {
  if (anchor !== undefined && anchor !== 'created_at') throw refusal('expires_after.anchor must be created_at', 'expires_after.anchor')
  if (seconds === undefined || seconds === null) return LIFE_S.usual
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < LIFE_S.min || seconds > LIFE_S.max)
    throw refusal(`expires_after.seconds must be a whole number from ${LIFE_S.min} to ${LIFE_S.max}`, 'expires_after.seconds')
  return seconds
}
