import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { RefusableField } from '@tollgate/upstream/prepare'
import type { ParsedRequest } from '../request/parsed-request.ts'

type Request = Pick<ParsedRequest, 'chat' | 'operation'>

type Rule = {
  readonly field: RefusableField
  /** Tested on the message and parameter of a refusal. */
  readonly refusal: RegExp
  /** The gateway adds the field to such a request; nothing is learned from one of the client's own, which may be wrong. */
  readonly isAdded: (request: Request) => boolean
}

const RULES: readonly Rule[] = [
  {
    field: 'stream_options',
    refusal: /stream_options|include_usage/,
    isAdded: ({ chat }) => chat.is_stream && chat.has_own_stream_options !== true,
  },
  // OpenAI: "Your organization must be verified to generate reasoning summaries", param `reasoning.summary`.
  { field: 'reasoning.summary', refusal: /reasoning[. ]summar/, isAdded: ({ operation }) => operation.name !== 'openai-responses' },
]

/** Fields that a channel's vendor refuses. Learned by each process, and forgotten when the channel changes. */
const refused = new WeakMap<ChannelSnapshot, readonly RefusableField[]>()
const NONE: readonly RefusableField[] = []

export function refusedFields(channel: ChannelSnapshot): readonly RefusableField[] {
  return refused.get(channel) ?? NONE
}

/** Notes that a vendor refused a field that the gateway added. Returns whether the call should be repeated without it. */
export function learnRefusedField(channel: ChannelSnapshot, request: Request, { status, message, param }: UpstreamFailure): boolean {
  if (status === undefined || status < 400 || status >= 500) return false
  const known = refusedFields(channel)
  const text = `${message} ${param ?? ''}`
  const rule = RULES.find(({ field, refusal, isAdded }) => !known.includes(field) && refusal.test(text) && isAdded(request))
  if (rule === undefined) return false
  refused.set(channel, [...known, rule.field])
  return true
}
