import { AppError } from '@tollgate/contracts/app-error'
import { fieldAt, numberField, objectField, textField } from '@tollgate/providers/chat/formats/gemini/fields'
import { textAt, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { answerJson, listModels } from '../models.ts'

/** The token travels in an address. */
const MAX_SETUP = 4096
const LIFE_MS = { usual: 30 * 60_000, opening: 60_000, max: 20 * 3_600_000 }
const MAX_USES = 1_000_000

/** POST /v1alpha/auth_tokens. https://ai.google.dev/api/live#ephemeral-auth-tokens */
export async function createAuthToken(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record, credential } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const body = await readSmallBody(context, record.user_id, deps)
  const setup = readSetup(body)
  const model = textAt(setup, 'model')?.replace(/^models\//, '')
  if (model !== undefined && !(await listModels(context, deps)).includes(model)) throw new AppError('model.unknown', { model })
  const now = deps.now()
  const expires_at = readTime(body, 'expireTime', now) ?? now + LIFE_MS.usual
  const opens_until = readTime(body, 'newSessionExpireTime', now) ?? now + LIFE_MS.opening
  const field_mask = textField(body, 'fieldMask') ?? ''
  const name = deps.liveTokens.issue({ credential, expires_at, opens_until, uses: readUses(body), setup, field_mask })
  answerJson(context, { name })
}

const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

function readSetup(body: JsonObject): JsonObject {
  const setup = objectField(body, 'bidiGenerateContentSetup')
  if (JSON.stringify(setup).length > MAX_SETUP)
    throw refusal(`the setup has more than ${MAX_SETUP} characters: let the client send the rest`, 'bidiGenerateContentSetup')
  return setup
}

function readTime(body: JsonObject, name: string, now: number): number | undefined {
  const given = fieldAt(body, name)
  if (given === undefined) return undefined
  const time = typeof given === 'string' ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time) || time <= now || time > now + LIFE_MS.max) throw refusal(`${name} must be a time within the next 20 hours`, name)
  return time
}

function readUses(body: JsonObject): number {
  const uses = numberField(body, 'uses') ?? 1
  if (!Number.isInteger(uses) || uses < 0 || uses > MAX_USES) throw refusal(`uses must be a whole number from 0 to ${MAX_USES}`, 'uses')
  return uses
}
