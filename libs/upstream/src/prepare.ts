import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import { encodeChatBody } from '@tollgate/providers/dialects/openai-chat/request'
import type { JsonObject } from '@tollgate/providers/json'
import { authHeaders, chatUrl } from '@tollgate/providers/vendors/address'
import { findVendor } from '@tollgate/providers/vendors/index'
import type { PreparedCall } from './call.ts'

export type PrepareInput = {
  readonly channel: Pick<
    ChannelSnapshot,
    'id' | 'type' | 'base_url' | 'openai_organization' | 'model_mapping' | 'param_override' | 'setting'
  >
  /** The channel's key in clear. */
  readonly key: string
  /** The name the client asked for. */
  readonly model: string
  readonly is_stream: boolean
  /** The body as the client sent it, and the same parsed. */
  readonly raw: Buffer
  readonly body: JsonObject
  /** Query of the client's address with its `?`, or empty. */
  readonly query?: string
}

export type Prepared =
  | { readonly kind: 'ok'; readonly call: PreparedCall }
  /** The channel's model mapping leads back to itself. */
  | { readonly kind: 'mapping-cycle' }
  /** No dialect of ours speaks to this channel type, or its address is none. */
  | { readonly kind: 'unsupported'; readonly detail: string }

/** Whether a channel of this type can be called for chat at all. */
export function speaksChat(channelType: number): boolean {
  return findVendor(channelType)?.speaks.chat !== undefined
}

/** All that turns a request and a channel into a call: model mapping, overrides, encoding, address, credentials. Pure. */
export function prepare(input: PrepareInput): Prepared {
  const { channel, key } = input
  const vendor = findVendor(channel.type)
  if (vendor?.speaks.chat === undefined) return { kind: 'unsupported', detail: `channel type ${channel.type} has no chat dialect yet` }
  const mapped = mapModel(channel.model_mapping, input.model)
  if (mapped.kind === 'cycle') return { kind: 'mapping-cycle' }
  const url = URL.parse((chatUrl(vendor, channel.base_url, mapped.model) ?? '') + (input.query ?? ''))
  if (url === null) return { kind: 'unsupported', detail: 'the channel has no usable address' }
  const body = encodeChatBody({
    raw: input.raw,
    body: input.body,
    upstream_model: mapped.model,
    is_stream: input.is_stream,
    asks_usage: vendor.streamOptions,
    param_override: channel.param_override,
    patch: vendor.quirks?.chat,
  })
  const headers = {
    'content-type': 'application/json',
    accept: input.is_stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    ...authHeaders(vendor, key, channel.openai_organization),
  }
  return {
    kind: 'ok',
    call: {
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: Object.entries(headers).flat(),
      body,
      proxy: proxyOf(channel.setting),
      lane: `channel-${channel.id}`,
      upstream_model: mapped.model,
    },
  }
}

/** `setting.proxy` of a channel; empty and other types mean none. */
export function proxyOf(setting: ChannelSnapshot['setting']): string | undefined {
  const proxy = setting['proxy']
  return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
}
