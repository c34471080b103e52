import type { RelayDeps } from '../../deps.ts'
import { binder, refuseUnserved, type RelayHono } from '../bind-routes.ts'
import type { RequestContext } from '../../request/context.ts'
import { sharedApiOf } from '../shared-api.ts'
import { answerBatch, answerBatches, createBatch } from './batches.ts'
import { anthropicApi } from '../anthropic/client-api.ts'
import { answerMessageBatch, answerMessageBatches, answerResults, createMessageBatch, deleteMessageBatch } from './message-batches.ts'
import { answerFile, answerFileContent, answerFiles, deleteFile, uploadFile } from './files.ts'
import { answerMessageFile, answerMessageFiles, deleteMessageFile, uploadMessageFile } from './message-files.ts'

/** Files and batches, as OpenAI's SDK calls them; the worker runs the lines (docs/adr/0074-deferred-requests.md). */
export function bindBatches(app: RelayHono, deps: RelayDeps): void {
  const bind = binder(app, deps, sharedApiOf)
  const on: typeof bind = (method, path, answer) =>
    bind(method, path, (context) => (isForOpenAi(context) ? answer(context, deps) : refuseUnserved(context)))
  bindFiles(app, deps)
  on('POST', '/v1/batches', (context) => createBatch(context, deps))
  on('GET', '/v1/batches', (context) => answerBatches(context, deps))
  on('GET', '/v1/batches/:id', (context) => answerBatch(context, deps, 'batchFind'))
  on('POST', '/v1/batches/:id/cancel', (context) => answerBatch(context, deps, 'batchCancel'))
  bindMessageBatches(app, deps)
}

type Handler = (context: RequestContext, deps: RelayDeps) => Promise<void>

/** Both have files under the same addresses, each in its shape; Google's are elsewhere. */
function bindFiles(app: RelayHono, deps: RelayDeps): void {
  const bind = binder(app, deps, sharedApiOf)
  const on = (method: 'GET' | 'POST' | 'DELETE', path: string, handlers: { readonly openai: Handler; readonly anthropic: Handler }) =>
    bind(method, path, (context) => {
      const { name } = context.clientApi
      return name === 'openai' || name === 'anthropic' ? handlers[name](context, deps) : refuseUnserved(context)
    })
  on('POST', '/v1/files', { openai: uploadFile, anthropic: uploadMessageFile })
  on('GET', '/v1/files', { openai: answerFiles, anthropic: answerMessageFiles })
  on('GET', '/v1/files/:id', { openai: answerFile, anthropic: answerMessageFile })
  on('DELETE', '/v1/files/:id', { openai: deleteFile, anthropic: deleteMessageFile })
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
