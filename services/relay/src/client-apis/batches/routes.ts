import type { RelayDeps } from '../../deps.ts'
import { binder, refuseUnserved, type RelayHono } from '../bind-routes.ts'
import type { RequestContext } from '../../request/context.ts'
import { sharedApiOf } from '../shared-api.ts'
import { answerBatch, answerBatches, createBatch } from './batches.ts'
import { anthropicApi } from '../anthropic/client-api.ts'
import { geminiApiOf } from '../gemini/client-api.ts'
import { answerGeminiBatch, answerGeminiBatches, cancelGeminiBatch, deleteGeminiBatch } from './gemini-batches.ts'
import { answerGeminiFile, answerGeminiFiles, deleteGeminiFile, uploadGeminiFile } from './gemini-files.ts'
import { answerMessageBatch, answerMessageBatches, answerResults, createMessageBatch, deleteMessageBatch } from './message-batches.ts'
import { addUploadPart, cancelUpload, completeUpload, createUpload } from './uploads.ts'
import { answerFile, answerFileContent, answerFiles, deleteFile, uploadFile } from './files.ts'
import { answerMessageFile, answerMessageFiles, deleteMessageFile, uploadMessageFile } from './message-files.ts'

/** Files and batches, as OpenAI's SDK calls them; the worker runs the lines (docs/adr/0074-deferred-requests.md). */
export function bindBatches(app: RelayHono, deps: RelayDeps): void {
  const bind = binder(app, deps, sharedApiOf)
  const on: typeof bind = (method, path, answer) =>
    bind(method, path, (context) => (isForOpenAi(context) ? answer(context, deps) : refuseUnserved(context)))
  bindFiles(app, deps)
  on('POST', '/v1/uploads', (context) => createUpload(context, deps))
  on('POST', '/v1/uploads/:id/parts', (context) => addUploadPart(context, deps))
  on('POST', '/v1/uploads/:id/complete', (context) => completeUpload(context, deps))
  on('POST', '/v1/uploads/:id/cancel', (context) => cancelUpload(context, deps))
  on('POST', '/v1/batches', (context) => createBatch(context, deps))
  // Google's SDK uses its own at the same addresses.
  const onBoth = (path: string, openai: Handler, gemini: Handler) =>
    bind('GET', path, (context) => {
      if (context.clientApi.name === 'gemini') return gemini(context, deps)
      return isForOpenAi(context) ? openai(context, deps) : refuseUnserved(context)
    })
  onBoth('/v1/batches', answerBatches, answerGeminiBatches)
  onBoth('/v1/batches/:id', (context) => answerBatch(context, deps, 'batchFind'), answerGeminiBatch)
  on('POST', '/v1/batches/:id/cancel', (context) => answerBatch(context, deps, 'batchCancel'))
  bindMessageBatches(app, deps)
}

type Handlers = { readonly openai: Handler; readonly anthropic: Handler; readonly gemini?: Handler }
type Handler = (context: RequestContext, deps: RelayDeps) => Promise<void>

/** All have files under the same addresses, each in its shape. */
function bindFiles(app: RelayHono, deps: RelayDeps): void {
  const bind = binder(app, deps, sharedApiOf)
  const on = (method: 'GET' | 'POST' | 'DELETE', path: string, handlers: Handlers) =>
    bind(method, path, (context) => {
      const { name } = context.clientApi
      const handler = name === 'openai' || name === 'anthropic' || name === 'gemini' ? handlers[name] : undefined
      return handler === undefined ? refuseUnserved(context) : handler(context, deps)
    })
  on('POST', '/v1/files', { openai: uploadFile, anthropic: uploadMessageFile })
  on('GET', '/v1/files', { openai: answerFiles, anthropic: answerMessageFiles, gemini: answerGeminiFiles })
  on('GET', '/v1/files/:id', { openai: answerFile, anthropic: answerMessageFile, gemini: answerGeminiFile })
  on('DELETE', '/v1/files/:id', { openai: deleteFile, anthropic: deleteMessageFile, gemini: deleteGeminiFile })
  const onGoogle = binder(app, deps, geminiApiOf)
  onGoogle('GET', '/v1beta/files', (context) => answerGeminiFiles(context, deps))
  onGoogle('GET', '/v1beta/files/:id', (context) => answerGeminiFile(context, deps))
  onGoogle('DELETE', '/v1beta/files/:id', (context) => deleteGeminiFile(context, deps))
  for (const version of ['v1', 'v1beta']) onGoogle('POST', `/upload/${version}/files`, (context) => uploadGeminiFile(context, deps))
  onGoogle('GET', '/v1beta/batches', (context) => answerGeminiBatches(context, deps))
  onGoogle('GET', '/v1beta/batches/:id', (context) => answerGeminiBatch(context, deps))
  for (const version of ['v1', 'v1beta']) {
    onGoogle('POST', `/${version}/batches/:id`, (context) => cancelGeminiBatch(context, deps))
    onGoogle('DELETE', `/${version}/batches/:id`, (context) => deleteGeminiBatch(context, deps))
  }
  on('GET', '/v1/files/:id/content', { openai: answerFileContent, anthropic: answerFileContent })
}

/** Message Batches, as Anthropic's SDKs call them. */
function bindMessageBatches(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => anthropicApi)
  on('POST', '/v1/messages/batches', (context) => createMessageBatch(context, deps))
  on('GET', '/v1/messages/batches', (context) => answerMessageBatches(context, deps))
  on('GET', '/v1/messages/batches/:id', (context) => answerMessageBatch(context, deps, 'batchFind'))
  on('DELETE', '/v1/messages/batches/:id', (context) => deleteMessageBatch(context, deps))
  on('POST', '/v1/messages/batches/:id/cancel', (context) => answerMessageBatch(context, deps, 'batchCancel'))
  on('GET', '/v1/messages/batches/:id/results', (context) => answerResults(context, deps))
}

/** Google has batches of its own, and Anthropic's are elsewhere. */
const isForOpenAi = ({ clientApi: { name } }: RequestContext): boolean => name === 'openai'
