import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { OutboundError } from '@tollgate/outbound/errors'
import type { StreamRequest } from '@tollgate/outbound/open-stream'
import type { TaskCall, TaskCallChannel, TaskFamilyCodec } from '@tollgate/providers/tasks/task-family'
import { findVendor } from '@tollgate/providers/vendors/index'
import { digests } from './digests.ts'
import type { Signer } from './signer.ts'

/** A channel with the key that a task was submitted with. */
export type TaskChannel = TaskCallChannel & { readonly id: number; readonly type: number; readonly proxy: string | undefined }

export type PreparedTaskCall =
  | { readonly kind: 'ok'; readonly request: StreamRequest & { readonly url: string } }
  /** The channel has no usable address. */
  | { readonly kind: 'no-address' }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

type TaskQuestion = { readonly channel: TaskChannel; readonly codec: TaskFamilyCodec; readonly call: TaskCall }
type Context = { readonly signer: Signer; readonly now: number }

/** A call about a task with its address and the channel's credential, which may have to be fetched. */
export async function prepareTaskCall({ channel, codec, call }: TaskQuestion, { signer, now }: Context): Promise<PreparedTaskCall> {
  const { key, proxy } = channel
  const url = URL.parse((codec.urlFor ?? urlBelow)(call, { ...channel, base_url: addressOf(channel) }) ?? '')
  if (url === null) return { kind: 'no-address' }
  const { method } = call
  const poolKey = `channel-${channel.id}`
  const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) }
  const request = { method, url: url.href, ...body, proxy, poolKey }
  if (codec.signing === undefined) {
    const headers = codec.credential({ key, call, host: url.host, now, digests })
    return { kind: 'ok', request: { ...request, headers } }
  }
  const target = { origin: url.origin, path: url.pathname + url.search, headers: [], body: undefined, proxy, poolKey, upstream_model: '' }
  const signed = await signer.sign(codec.signing, { ...target, method: 'POST' }, key)
  if (signed.kind === 'failed') return signed
  return { kind: 'ok', request: { ...request, headers: toRecord(signed.call.headers) } }
}

/** The same for a caller that has nothing to tell apart. Throws OutboundError 'invalid'. */
export async function requireTaskCall(question: TaskQuestion, context: Context): Promise<StreamRequest> {
  const prepared = await prepareTaskCall(question, context)
  if (prepared.kind === 'ok') return prepared.request
  throw new OutboundError('invalid', prepared.kind === 'failed' ? prepared.failure.message : 'the channel has no usable address')
}

/** The channel's or its vendor's, without a final slash; empty: there is none. */
export const addressOf = ({ type, base_url }: Pick<TaskChannel, 'type' | 'base_url'>): string =>
  (base_url === '' ? (findVendor(type)?.baseUrl ?? '') : base_url).replace(/\/+$/, '')

const urlBelow = ({ path }: TaskCall, { base_url }: TaskCallChannel): string => base_url + path

function toRecord(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])))
}
