import { AppError } from '@tollgate/contracts/app-error'
import type { RefusedRequest } from '@tollgate/contracts/relay/refusal'
import { visible } from '@tollgate/telemetry/visible'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import { toClientError } from '../request/client-error.ts'
import type { RefusalFacts } from '../request/refusal-facts.ts'
import { errorTypeFor } from '../request/error-type.ts'
import type { RequestContext } from '../request/context.ts'

type Input = { readonly facts: RefusalFacts; readonly cause: unknown; readonly reason: string }
type Deps = { readonly config: RuntimeConfig; readonly now: () => number }

const MAX = { name: 255, message: 500, param: 200, user_agent: 160, path: 200 } as const

/** The row of a refused request. Everything that the client wrote is cleaned and cut. */
export function toRefusedRequest(context: RequestContext, { facts, cause, reason }: Input, { config, now }: Deps): RefusedRequest {
  const { incoming, clock, clientApi } = context
  const { record, chat, group } = facts
  const error = toClientError(cause, context)
  const model = visible(chat?.model ?? '', MAX.name)
  return {
    request_id: context.id,
    at: clock.started_at,
    user_id: record.user_id,
    username: record.username,
    token_id: record.token_id,
    token_name: record.name,
    group: group ?? (record.group === '' ? record.user_group : record.group),
    model,
    is_known_model: model !== '' && config.knowsModel(model),
    is_stream: chat?.is_stream ?? false,
    reason,
    error_code: error.code,
    error_type: errorTypeFor(clientApi, error) ?? error.type,
    status: error.status,
    message: visible(error.message, MAX.message),
    params: cause instanceof AppError ? visibleParams(cause) : {},
    duration_ms: Math.max(0, now() - clock.started_at),
    client: {
      ip: context.ip,
      user_agent: visible(incoming.headers['user-agent'] ?? '', MAX.user_agent),
      method: incoming.method ?? '',
      path: visible(context.path, MAX.path),
    },
  }
}

function visibleParams({ params }: AppError): RefusedRequest['params'] {
  const shown = Object.entries(params).map(
    ([name, value]) => [name, typeof value === 'string' ? visible(value, MAX.param) : value] as const,
  )
  return Object.fromEntries(shown)
}
