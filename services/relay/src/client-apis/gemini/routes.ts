import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '@tollgate/contracts/app-error'
import type { Operation } from '@tollgate/providers/calls/operation'
import type { RelayDeps } from '../../deps.ts'
import { run } from '../../pipeline/run.ts'
import type { RequestContext } from '../../request/context.ts'
import { pageOf } from '../list-page.ts'
import { answerJson, listModels } from '../models.ts'
import { operations } from '../../operations.ts'
import { answerPreflight, binder, decodePath, refuseUnknown, type RelayHono } from '../bind-routes.ts'
import { geminiArrayApi, geminiApiOf, interactionsApi } from './client-api.ts'
import { readBackground } from '../openai/background-body.ts'
import { answerCache, changeCache, createCache, deleteCache, listCaches } from './caches.ts'
import { createGeminiBatch, type GeminiBatchAction } from '../batches/gemini-batches.ts'
import { createAuthToken } from './auth-tokens.ts'
import { answerPredictVideo, fetchPredictVideo, isPredictOperation, orderPredictVideo } from '../videos/predict-videos.ts'
import { answerInteraction, cancelInteraction, deleteInteraction, queueInteraction } from './interactions.ts'

/** Actions that do not stream. */
const PLAIN: Readonly<Record<string, Operation>> = {
  generateContent: operations.gemini,
  countTokens: operations.geminiTokenCount,
  predict: operations.geminiPredict,
  embedContent: operations.embedContent,
  batchEmbedContents: operations.batchEmbedContents,
}

/** Calls whose batches have an action of their own. */
const BATCHED: Readonly<Record<string, GeminiBatchAction>> = {
  batchGenerateContent: 'generateContent',
  asyncBatchEmbedContent: 'embedContent',
}

const MODELS = /^\/v1(?:beta)?\/models\//

/** Google's routes, including `POST /v1/models/{model}:{action}`. */
export function bindGemini(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, (incoming) => {
    incoming.url = withColon(incoming.url ?? '')
    return geminiApiOf(incoming)
  })
  on('GET', '/v1beta/models', (context) => answerModelsAsGemini(context, deps))
  on('GET', '/v1beta/models/*', (context) => answerModelAsGemini(context, deps))
  on('POST', '/v1beta/models/*', (context) => act(context, deps))
  on('POST', '/v1/models/*', (context) => act(context, deps))
  for (const version of ['/v1', '/v1beta']) {
    on('POST', `${version}/auth_tokens`, (context) => createAuthToken(context, deps))
    on('POST', `${version}/cachedContents`, (context) => createCache(context, deps))
    on('GET', `${version}/cachedContents`, (context) => listCaches(context, deps))
    on('GET', `${version}/cachedContents/:id`, (context) => answerCache(context, deps))
    on('PATCH', `${version}/cachedContents/:id`, (context) => changeCache(context, deps))
    on('DELETE', `${version}/cachedContents/:id`, (context) => deleteCache(context, deps))
  }
  on('OPTIONS', '/v1beta/*', answerPreflight)
  const onInteractions = binder(app, deps, () => interactionsApi)
  for (const version of ['/v1', '/v1beta']) {
    onInteractions('POST', `${version}/interactions`, (context) =>
      run(context, { operation: operations.interactions, route: {}, defer: { read: readBackground, answer: queueInteraction } }, deps),
    )
    onInteractions('GET', `${version}/interactions/:id`, (context) => answerInteraction(context, deps))
    onInteractions('DELETE', `${version}/interactions/:id`, (context) => deleteInteraction(context, deps))
    onInteractions('POST', `${version}/interactions/:id/cancel`, (context) => cancelInteraction(context, deps))
  }
}

/** Some clients encode the colon before the action. */
function withColon(url: string): string {
  return url.includes('%3') ? url.replace(/^[^?]*/, (path) => path.replaceAll(/%3a/gi, ':')) : url
}

/** The part of the path after `/models/`, without slashes around it. */
function afterModels(path: string): string {
  return path.replace(MODELS, '').replaceAll(/^\/+|\/+$/g, '')
}

/** True if a call to a shared path comes from a Google client; it names itself, or has its credential in Google's header. */
export function isGeminiCall(headers: IncomingHttpHeaders): boolean {
  return headers['x-goog-api-client'] !== undefined || (headers['x-goog-api-key'] !== undefined && headers.authorization === undefined)
}

function act(context: RequestContext, deps: RelayDeps): Promise<void> | void {
  const { model, action } = readTarget(context.path)
  const plain = Object.hasOwn(PLAIN, action) ? PLAIN[action] : undefined
  if (plain !== undefined) return run(context, { operation: plain, route: { model, is_stream: false } }, deps)
  const batched = Object.hasOwn(BATCHED, action) ? BATCHED[action] : undefined
  if (batched !== undefined) return createGeminiBatch(context, { model, action: batched }, deps)
  if (action === 'predictLongRunning') return orderPredictVideo(context, model, deps)
  if (action === 'fetchPredictOperation') return fetchPredictVideo(context, deps)
  if (action !== 'streamGenerateContent') return refuseUnknown(context)
  const operation = context.clientApi === geminiArrayApi ? operations.geminiArray : operations.gemini
  return run(context, { operation, route: { model, is_stream: true } }, deps)
}

/** Parses `/v1beta/models/{model}:{action}`; model names may contain colons and slashes. */
function readTarget(path: string): { readonly model: string; readonly action: string } {
  const target = afterModels(path)
  const at = target.lastIndexOf(':')
  return at === -1 ? { model: decodePath(target), action: '' } : { model: decodePath(target.slice(0, at)), action: target.slice(at + 1) }
}

const PAGE = { size: 'pageSize', max: 1000, after: 'pageToken' } as const

/** GET /v1/models in Google's format, on one page unless the client limits it. */
export async function answerModelsAsGemini(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { names, hasMore } = pageOf(context.incoming.url ?? '', await listModels(context, deps), PAGE)
  // A token is the last name of the page.
  answerJson(context, { models: names.map(toModel), ...(hasMore ? { nextPageToken: names.at(-1) } : {}) })
}

/** One model in the same format. */
export async function answerModelAsGemini(context: RequestContext, deps: RelayDeps): Promise<void> {
  const id = decodePath(afterModels(context.path))
  if (id === '') return await answerModelsAsGemini(context, deps)
  if (isPredictOperation(context.path)) return await answerPredictVideo(context, deps)
  if (!(await listModels(context, deps)).includes(id)) throw new AppError('model.unknown', { model: id })
  answerJson(context, toModel(id))
}

const METHODS = ['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent', 'batchEmbedContents']

/** https://ai.google.dev/api/models */
function toModel(id: string) {
  return { name: `models/${id}`, displayName: id, supportedGenerationMethods: METHODS }
}
