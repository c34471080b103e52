import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { OutboundRequest } from '@tollgate/outbound/request'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import { authHeaders, urlFor } from '@tollgate/providers/vendors/address'
import { findVendor } from '@tollgate/providers/vendors/index'
import { DEFAULT_POLICY, requestHeaders } from './policy.ts'
import { proxyOf } from './prepare.ts'

/** Which has all that Google keeps. */
const GEMINI_VERSION = 'v1beta'

export type KeptAnswerInput = {
  readonly channel: Pick<ChannelSnapshot, 'id' | 'type' | 'base_url' | 'openai_organization' | 'setting' | 'other'>
  /** The channel's key in plain text. */
  readonly key: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Whose calls the vendor's address is of; absent: those of OpenAI's responses. */
  readonly format?: ApiFormat
  readonly response_id: string
  /** JSON. */
  readonly body?: string
  /** Below the response, with its slash. */
  readonly path?: string
  /** Without its `?`. */
  readonly query?: string
}

/** A call about a response that the vendor keeps; undefined if the channel has no usable address. */
export function keptAnswerRequest(input: KeptAnswerInput): Omit<OutboundRequest, 'timeoutMs'> | undefined {
  const { channel, key, method, response_id, path = '', query = '', format = 'openai-responses', body } = input
  const { type, base_url, setting, other } = channel
  const vendor = findVendor(type)
  const facts = { format, model: '', is_stream: false, other, key, gemini_version: GEMINI_VERSION, query: '' } as const
  const address = vendor === undefined ? undefined : urlFor(vendor, base_url, facts)
  const url = address === undefined ? null : URL.parse(address)
  if (vendor === undefined || url === null) return undefined
  url.pathname += `/${encodeURIComponent(response_id)}${path}`
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value)
  const policy = DEFAULT_POLICY
  return {
    method,
    url: url.href,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...requestHeaders({ facts, vendor, setting, model: '', policy, forwarded: {}, clientHeader: () => '' }),
      ...authHeaders(vendor, key, channel.openai_organization),
    },
    ...(body === undefined ? {} : { body }),
    proxy: proxyOf(setting),
    poolKey: `channel-${channel.id}`,
  }
}
