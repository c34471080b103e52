import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import {
  MAX_RECORDING,
  type PlaygroundBody,
  type PlaygroundImage,
  type PlaygroundRecording,
  type PlaygroundSpeech,
} from '@tollgate/contracts/resources/playground'
import { createInternalToken, findInternalToken } from '@tollgate/db/queries/tokens/tokens'
import type { Actor } from '@tollgate/http/actor'
import { readBytes } from '@tollgate/http/parse'
import { nowSeconds, type Deps } from '../../deps.ts'
import { usableGroups } from '../self/usable-groups.ts'
import { createKey, openKey } from '../tokens/key.ts'

export type RelayCall = {
  readonly path: string
  readonly content_type: string
  readonly body: string | Buffer
}
type Target = { readonly model: string; readonly group: string; readonly channel?: number | undefined }

/** The key of the console's own token of this user, with the pinned channel: what the relay identifies the caller by. */
export async function toCredential(deps: Deps, actor: Actor, { model, group, channel = 0 }: Target): Promise<string> {
  if (actor.session_hash === undefined) throw new AppError('playground.access-token')
  if (model.trim() === '') throw new AppError('playground.model')
  const chosen = await chooseGroup(deps, actor, group)
  if (channel > 0 && actor.role < Role.admin) throw new AppError('access.channel-pin')
  const key = await getKey(deps, actor, chosen)
  return `sk-${key}${channel > 0 ? `-${channel}` : ''}`
}

async function chooseGroup(deps: Deps, actor: Actor, wanted: string): Promise<string> {
  if (wanted === '' || wanted === actor.group) return actor.group === '' ? 'default' : actor.group
  if (!Object.hasOwn(await usableGroups(deps, actor.group), wanted)) throw new AppError('playground.group')
  return wanted
}

/** The key of the console's own token of this user, or member of an organisation, in this group. It never leaves the servers, and the wallet is its only limit. */
async function getKey(deps: Deps, { id, member }: Actor, group: string): Promise<string> {
  const sealer = deps.sealers.options
  const owned = { user_id: id, group, ...(member === undefined ? {} : { internal_for: member.id }) }
  const known = await findInternalToken(deps.db, owned)
  if (known !== undefined) return openKey(known, sealer)
  await createInternalToken(deps.db, {
    ...createKey(sealer),
    ...owned,
    name: `playground-${group}`,
    created_time: nowSeconds(deps),
    expired_time: -1,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
  })
  // The row of this call, or of one that ran at the same time.
  const made = await findInternalToken(deps.db, owned)
  if (made === undefined) throw new Error('the token of the playground was not created')
  return openKey(made, sealer)
}

const toJsonCall = (path: string, body: object): RelayCall => ({ path, content_type: 'application/json', body: JSON.stringify(body) })

/** Fields of a message that models read; the console's ids, times and states stay here. */
const MESSAGE_FIELDS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] as const

export function toChatCall({ group: _group, channel: _channel, max_tokens, messages, ...rest }: PlaygroundBody): RelayCall {
  return toJsonCall('/v1/chat/completions', {
    ...rest,
    messages: messages.map((message) =>
      Object.fromEntries(MESSAGE_FIELDS.flatMap((field) => (message[field] === undefined ? [] : [[field, message[field]]]))),
    ),
    ...(max_tokens === undefined || max_tokens === 0 ? {} : { max_tokens }),
  })
}

/** Empty choices are the model's own. */
export function toImageCall({ group: _group, channel: _channel, size, quality, ...rest }: PlaygroundImage): RelayCall {
  return toJsonCall('/v1/images/generations', { ...rest, ...(size === '' ? {} : { size }), ...(quality === '' ? {} : { quality }) })
}

export function toSpeechCall({ group: _group, channel: _channel, ...rest }: PlaygroundSpeech): RelayCall {
  return toJsonCall('/v1/audio/speech', rest)
}

/** The recording as the form that transcriptions are sent in. */
export async function toTranscriptionCall({ model, file_name, language }: PlaygroundRecording, request: Request): Promise<RelayCall> {
  const bytes = await readBytes(request, MAX_RECORDING)
  const form = new FormData()
  form.append('model', model)
  form.append('response_format', 'json')
  if (language !== '') form.append('language', language)
  const type = request.headers.get('content-type') ?? 'application/octet-stream'
  form.append('file', new File([Uint8Array.from(bytes)], file_name === '' ? 'recording' : file_name, { type }))
  const encoded = new Response(form)
  return {
    path: '/v1/audio/transcriptions',
    content_type: encoded.headers.get('content-type') ?? 'multipart/form-data',
    body: Buffer.from(await encoded.arrayBuffer()),
  }
}
