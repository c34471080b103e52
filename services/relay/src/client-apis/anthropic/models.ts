import type { IncomingHttpHeaders } from 'node:http'
import { MODEL_CREATED } from '@tollgate/contracts/resources/model-object'
import type { RelayDeps } from '../../deps.ts'
import type { RequestContext } from '../../request/context.ts'
import { pageOf } from '../list-page.ts'
import { answerJson, listModels } from '../models.ts'

/** True if a call to a shared path comes from an Anthropic client; its SDKs always send the API version. */
export function isAnthropicCall(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined || (headers['x-api-key'] !== undefined && headers.authorization === undefined)
}

const PAGE = { size: 'limit', max: 1000, after: 'after_id', before: 'before_id' } as const
const CREATED_AT = new Date(MODEL_CREATED * 1000).toISOString()

/** GET /v1/models in Anthropic's format, on one page unless the client limits it: https://docs.anthropic.com/en/api/models-list */
export async function answerModelsAsAnthropic(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { names, hasMore } = pageOf(context.incoming.url ?? '', await listModels(context, deps), PAGE)
  const data = names.map(toModel)
  answerJson(context, { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null })
}

/** Fields that the types of Anthropic's SDKs (1.14 for Node, 2.14 for Python) require, and that are not known of every vendor's model. */
const UNKNOWN = {
  capabilities: null,
  deprecated_at: null,
  line: null,
  max_input_tokens: null,
  max_tokens: null,
  retires_at: null,
} as const

/** One model in the same format. */
export function toModel(id: string) {
  return { type: 'model', id, display_name: id, created_at: CREATED_AT, lifecycle: 'active', ...UNKNOWN }
}
