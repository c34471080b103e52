import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { redactKey } from '@tollgate/domain/secrets/redact-key'
import { OutboundError } from '@tollgate/outbound/errors'
import { isObject, objectAt, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import { keptAnswerRequest, type KeptAnswerInput } from '@tollgate/upstream/kept-answer'
import type { RelayDeps } from '../../deps.ts'
import type { VendorKept } from '../../response-state/records.ts'

const TIMEOUT_MS = 30_000
const MAX_ANSWER = 64 * 1024 * 1024

type KeptCall = Pick<KeptAnswerInput, 'method' | 'format' | 'response_id' | 'path' | 'query' | 'body'> & {
  /** The refusal of what is gone; absent: that of a response. */
  readonly missing?: AppError
}

/** Calls the vendor that keeps a response, with the key that made it. Refused as not found if either is gone. */
export async function callKeepingVendor(
  { channel_id, key_id }: Pick<VendorKept, 'channel_id' | 'key_id'>,
  { missing: given, ...call }: KeptCall,
  { config, upstream }: RelayDeps,
): Promise<JsonObject> {
  const missing = given ?? new AppError('response.missing', { id: call.response_id })
  const channel = config.snapshot.channels.get(channel_id)
  if (channel?.status !== ChannelStatus.enabled || !config.keyIdsOf(channel).includes(key_id)) throw missing
  const key = config.keyOf(channel, key_id)
  const request = keptAnswerRequest({ channel: config.openedOf(channel), key, ...call })
  if (request === undefined) throw missing
  const { status, body } = await upstream.request({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER }).catch((cause: unknown) => {
    if (!(cause instanceof OutboundError)) throw cause
    throw new AppError('response.unavailable', {}, { cause })
  })
  const answer = parseJson(body.toString())
  if (status >= 200 && status < 300 && isObject(answer)) return answer
  if (status === 404) throw missing
  if (status === 401 || status === 403) throw new AppError('upstream.auth')
  const detail = textAt(objectAt(answer, 'error'), 'message')
  if (status >= 400 && status < 500 && status !== 429 && detail !== undefined)
    throw new AppError('request.field', { detail: redactKey(detail, key) })
  throw new AppError('response.unavailable')
}
