import type { RouteFacts } from '@tollgate/providers/chat/model-request'
import type { JsonObject } from '@tollgate/providers/json'
import type { Operation } from '@tollgate/providers/calls/operation'
import { findVendor } from '@tollgate/providers/vendors/index'
import { prepare, type Prepared } from '../src/prepare.ts'

type Sample = {
  readonly operation: Operation
  readonly body: JsonObject
  readonly route?: RouteFacts
  readonly type: number
  /** Default: the vendor's own address, or one of the operator's if the vendor has none. */
  readonly base_url?: string
  readonly key?: string | undefined
  readonly other?: string | undefined
  readonly setting?: JsonObject
  /** The client's headers that its format forwards. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

/** Prepares a client's request, as the relay does, for a channel of this type with nothing set but what its vendor requires. */
export function prepareSample({
  operation,
  body,
  route = {},
  type,
  base_url,
  key,
  other,
  setting = {},
  headers = {},
  query = '',
}: Sample): Prepared {
  const decoded = operation.readRequest(body, route)
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return prepare({
    channel: {
      id: 1,
      type,
      base_url: base_url ?? (findVendor(type)?.baseUrl === '' ? 'https://own.example' : ''),
      openai_organization: '',
      model_mapping: {},
      param_override: {},
      setting,
      other: other ?? sampleOther(type),
    },
    key: key ?? KEYS[type] ?? 'sk-key',
    operation,
    headers,
    query,
    given: {
      request: decoded.request,
      raw: Buffer.from(JSON.stringify(body)),
      content_type: 'application/json',
      request_id: 'r',
      created: 1,
      prompt_tokens: 1,
      count: () => {},
      settings: { default_max_tokens: () => 100, safety_settings: [], makes_images: () => false },
    },
  })
}

/** Keys of vendors that read parts of the call from them. */
const KEYS: Readonly<Record<number, string>> = {
  15: 'key|secret',
  33: 'Ak|Sk|us-east-1',
  41: JSON.stringify({ project_id: 'project' }),
  57: JSON.stringify({ access_token: 'token', account_id: 'account' }),
}

/** The field `other` of a channel of this type; empty if the vendor needs none. */
export const sampleOther = (type: number): string => OTHERS[type] ?? ''

const OTHERS: Readonly<Record<number, string>> = {
  39: 'account',
  41: 'us-central1',
  49: 'bot',
  58: '{"openai-chat":"/v1/chat/completions"}',
}
