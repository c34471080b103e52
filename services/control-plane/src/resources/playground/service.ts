import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { PlaygroundBody } from '@tollgate/contracts/resources/playground'
import { createInternalToken, findInternalToken } from '@tollgate/db/queries/tokens'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from '../../deps.ts'
import { usableGroups } from '../self/usable-groups.ts'
import { createKey, openKey } from '../tokens/key.ts'

export type RelayCall = { readonly credential: string; readonly body: string }

/** The call that the relay serves for this user: a token of the console's own, and the body without what only the console needs. */
export async function toRelayCall(deps: Deps, actor: Actor, body: PlaygroundBody): Promise<RelayCall> {
  if (actor.session_hash === undefined) throw new AppError('playground.access-token')
  if (body.model.trim() === '') throw new AppError('playground.model')
  const group = await chooseGroup(deps, actor, body.group)
  if (body.channel !== undefined && actor.role < Role.admin) throw new AppError('access.channel-pin')
  const key = await getKey(deps, actor, group)
  const pin = body.channel === undefined ? '' : `-${body.channel}`
  return { credential: `sk-${key}${pin}`, body: JSON.stringify(toChatBody(body)) }
}

async function chooseGroup(deps: Deps, actor: Actor, wanted: string): Promise<string> {
  if (wanted === '' || wanted === actor.group) return actor.group === '' ? 'default' : actor.group
  if (!Object.hasOwn(await usableGroups(deps, actor.group), wanted)) throw new AppError('playground.group')
  return wanted
}

/** The key of the console's own token of this user in this group. It never leaves the servers, and the wallet is its only limit. */
async function getKey(deps: Deps, { id }: Actor, group: string): Promise<string> {
  const sealer = deps.sealers.options
  const owned = { user_id: id, group }
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

/** Fields of a message that models read; the console's ids, times and states stay here. */
const MESSAGE_FIELDS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] as const

export function toChatBody({ group: _group, channel: _channel, max_tokens, messages, ...rest }: PlaygroundBody): Record<string, unknown> {
  return {
    ...rest,
    messages: messages.map((message) =>
      Object.fromEntries(MESSAGE_FIELDS.flatMap((field) => (message[field] === undefined ? [] : [[field, message[field]]]))),
    ),
    ...(max_tokens === undefined || max_tokens === 0 ? {} : { max_tokens }),
  }
}
