import { AppError } from '@tollgate/contracts/app-error'
import type { RelayDeps } from '../../deps.ts'
import { run } from '../../pipeline/run.ts'
import type { RequestContext } from '../../request/context.ts'
import { answerModelsAsAnthropic } from '../anthropic/models.ts'
import { answerModelAsGemini, answerModelsAsGemini } from '../gemini/routes.ts'
import { operations } from '../../operations.ts'
import { sharedApiOf } from '../shared-api.ts'
import { answerPreflight, binder, decodePath, refuseUnserved, type RelayHono } from '../bind-routes.ts'
import { queueResponse } from './background.ts'
import { readBackground } from './background-body.ts'
import { answerSubscription, answerUsage } from './billing.ts'
import { createClientSecret } from './client-secrets.ts'
import { answerInputItems, answerResponse, cancelResponse, deleteResponse } from './kept-responses.ts'
import { answerModel, answerModels } from './models.ts'
import { readerOf } from './reasoning-reader.ts'
import { openAiApi, responsesApiOf } from './client-api.ts'

/** Routes that only run the pipeline. */
const SERVED = [
  ['/v1/completions', operations.completions],
  ['/v1/embeddings', operations.embeddings],
  ['/v1/moderations', operations.moderations],
  ['/v1/images/generations', operations.images],
  ['/v1/audio/speech', operations.speech],
  ['/v1/audio/transcriptions', operations.transcriptions],
  ['/v1/audio/translations', operations.translations],
  ['/v1/rerank', operations.rerank],
] as const

/** Routes of the API that the relay does not implement. */
const UNSERVED = [
  ['POST', '/v1/images/variations'],
  ['ALL', '/v1/fine-tunes'],
  ['ALL', '/v1/fine-tunes/*'],
  ['DELETE', '/v1/models/*'],
] as const

/** The OpenAI routes. */
export function bindOpenAi(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => openAiApi)
  const onResponses = binder(app, deps, responsesApiOf)
  const onShared = binder(app, deps, sharedApiOf)
  for (const [path, operation] of SERVED) on('POST', path, (context) => run(context, { operation, route: {} }, deps))
  on('POST', '/v1/chat/completions', (context) => run(context, { operation: operations.chat, route: readerOf(context.incoming) }, deps))
  on('POST', '/v1/images/edits', (context) => {
    const isJson = /^application\/json\b/i.test(context.incoming.headers['content-type'] ?? '')
    return run(context, { operation: isJson ? operations.jsonImageEdits : operations.imageEdits, route: {} }, deps)
  })
  onResponses('POST', '/v1/responses', (context) =>
    run(context, { operation: operations.responses, route: {}, defer: { read: readBackground, answer: queueResponse } }, deps),
  )
  onResponses('POST', '/v1/responses/input_tokens', (context) =>
    run(context, { operation: operations.responseTokenCount, route: {} }, deps),
  )
  onResponses('POST', '/v1/responses/compact', (context) => run(context, { operation: operations.responseCompaction, route: {} }, deps))
  // A proxy that does not pass WebSockets on: Codex goes on over HTTP after this status only.
  onResponses('GET', '/v1/responses', refuseWithoutUpgrade)
  onResponses('GET', '/v1/responses/:id', (context) => answerResponse(context, deps))
  onResponses('POST', '/v1/responses/:id/cancel', (context) => cancelResponse(context, deps))
  onResponses('DELETE', '/v1/responses/:id', (context) => deleteResponse(context, deps))
  onResponses('GET', '/v1/responses/:id/input_items', (context) => answerInputItems(context, deps))
  on('POST', '/v1/engines/:model/embeddings', (context) => {
    const model = decodePath(context.path.split('/')[3] ?? '')
    return run(context, { operation: operations.embeddings, route: { model } }, deps)
  })
  onShared('GET', '/v1/models', (context) => answerListOf(context)(context, deps))
  onShared('GET', '/v1/models/*', (context) => {
    if (context.clientApi.name === 'gemini') return answerModelAsGemini(context, deps)
    const id = context.path.slice('/v1/models/'.length).replaceAll(/^\/+|\/+$/g, '')
    return id === '' ? answerListOf(context)(context, deps) : answerModel(context, decodePath(id), deps)
  })
  for (const prefix of ['', '/v1']) {
    on('GET', `${prefix}/dashboard/billing/subscription`, (context) => answerSubscription(context, deps))
    on('GET', `${prefix}/dashboard/billing/usage`, (context) => answerUsage(context, deps))
  }
  on('GET', '/v1/realtime', refuseWithoutUpgrade)
  on('POST', '/v1/realtime/client_secrets', (context) => createClientSecret(context, deps))
  on('OPTIONS', '/v1/*', answerPreflight)
  for (const [method, path] of UNSERVED) onShared(method, path, refuseUnserved)
}

function answerListOf({ clientApi: { name } }: RequestContext): typeof answerModels {
  if (name === 'gemini') return answerModelsAsGemini
  return name === 'anthropic' ? answerModelsAsAnthropic : answerModels
}

function refuseWithoutUpgrade(): never {
  throw new AppError('request.upgrade')
}
