import { AppError } from '@tollgate/contracts/app-error'
import type { RelayDeps } from '../../deps.ts'
import { run } from '../../pipeline/run.ts'
import { answerModelsAsAnthropic, isAnthropicCall } from '../anthropic/models.ts'
import { anthropicSurface } from '../anthropic/surface.ts'
import { operations } from '../operations.ts'
import { answerPreflight, binder, decodePath, type RelayHono } from '../visiting.ts'
import { answerSubscription, answerUsage } from './billing.ts'
import { answerModel, answerModels } from './models.ts'
import { openAiSurface, responsesSurface } from './surface.ts'

/** One body, one answer: the pipeline does the rest. */
const SERVED = [
  ['/v1/chat/completions', operations.chat],
  ['/v1/completions', operations.completions],
  ['/v1/embeddings', operations.embeddings],
  ['/v1/moderations', operations.moderations],
  ['/v1/images/generations', operations.images],
  ['/v1/images/edits', operations.imageEdits],
  ['/v1/audio/speech', operations.speech],
  ['/v1/audio/transcriptions', operations.transcriptions],
  ['/v1/audio/translations', operations.translations],
  ['/v1/rerank', operations.rerank],
] as const

/** Calls of the API that exist and that we do not serve. */
const UNSERVED = [
  ['POST', '/v1/images/variations'],
  ['ALL', '/v1/files'],
  ['ALL', '/v1/files/*'],
  ['ALL', '/v1/fine-tunes'],
  ['ALL', '/v1/fine-tunes/*'],
  ['DELETE', '/v1/models/*'],
] as const

/** The OpenAI routes. */
export function bindOpenAi(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => openAiSurface)
  const onResponses = binder(app, deps, () => responsesSurface)
  const onShared = binder(app, deps, ({ headers }) => (isAnthropicCall(headers) ? anthropicSurface : openAiSurface))
  for (const [path, operation] of SERVED) on('POST', path, (visit) => run(visit, { operation, route: {} }, deps))
  onResponses('POST', '/v1/responses', (visit) => run(visit, { operation: operations.responses, route: {} }, deps))
  on('POST', '/v1/engines/:model/embeddings', (visit) => {
    const model = decodePath(visit.path.split('/')[3] ?? '')
    return run(visit, { operation: operations.embeddings, route: { model } }, deps)
  })
  onShared('GET', '/v1/models', (visit) => (visit.surface.name === 'anthropic' ? answerModelsAsAnthropic : answerModels)(visit, deps))
  onShared('GET', '/v1/models/*', (visit) => answerModel(visit, decodePath(visit.path.slice('/v1/models/'.length)), deps))
  for (const place of ['', '/v1']) {
    on('GET', `${place}/dashboard/billing/subscription`, (visit) => answerSubscription(visit, deps))
    on('GET', `${place}/dashboard/billing/usage`, (visit) => answerUsage(visit, deps))
  }
  on('GET', '/v1/realtime', refuseWithoutUpgrade)
  on('OPTIONS', '/v1/*', answerPreflight)
  for (const [method, path] of UNSERVED) on(method, path, refuseUnserved)
}

function refuseWithoutUpgrade(): never {
  throw new AppError('request.upgrade')
}

function refuseUnserved(): never {
  throw new AppError('route.unimplemented')
}
