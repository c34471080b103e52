import { AppError } from '@tollgate/contracts/app-error'
import type { ModelAsk, RouteFacts } from '@tollgate/providers/conversation/ask'
import type { Operation } from '@tollgate/providers/exchange/operation'
import type { BodyBudget } from '../intake/body-budget.ts'
import { collectBody, type Body } from '../intake/collect-body.ts'
import { parseJsonObject } from '../intake/parse-json.ts'
import { readForm } from '../intake/read-form.ts'
import type { Visit } from '../visit.ts'

/** What a route asks of the pipeline. */
export type Errand = { readonly operation: Operation; readonly route: RouteFacts }

/** What the client asks for: the bytes as they came, and the facts the gateway needs of them. */
export type Ask = { readonly body: Body; readonly operation: Operation; readonly content_type: string; chat: ModelAsk }

type Deps = { readonly bodies: BodyBudget; readonly env: { readonly RELAY_MAX_BODY: number } }

/** Collects and decodes the body. Bodies beyond the loop's share go to a worker pool at this place, which answers the same facts. */
export async function read(visit: Visit, errand: Errand, deps: Deps): Promise<Ask> {
  visit.clock.enter('read')
  visit.reply.proceed()
  const body = await collectBody(visit.incoming, { max: deps.env.RELAY_MAX_BODY, budget: deps.bodies })
  try {
    return {
      body,
      operation: errand.operation,
      content_type: visit.incoming.headers['content-type'] ?? '',
      chat: await decode(visit, body.bytes, errand),
    }
  } catch (error) {
    body.release()
    throw error
  }
}

/** Forgets the bytes and the tree once they are sent: a slow stream must not keep its prompt in memory. */
export function dropBody(ask: Ask): void {
  ask.body.release()
  ask.chat = { ...ask.chat, body: {}, texts: [], tool_texts: [], form: undefined }
}

async function decode({ incoming }: Visit, bytes: Buffer, { operation, route }: Errand): Promise<ModelAsk> {
  const decoded = operation.readAsk(operation.body === 'json' ? parseJsonObject(bytes) : await readForm(incoming, bytes, operation), route)
  if (decoded.kind === 'invalid') throw new AppError(decoded.code, { detail: decoded.detail })
  return decoded.ask
}
