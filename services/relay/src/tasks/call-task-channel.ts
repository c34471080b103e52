import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { OutboundError } from '@tollgate/outbound/errors'
import { openStream, type OpenedStream, type StreamLimits, type StreamRequest } from '@tollgate/outbound/open-stream'
import type { OutboundAnswer } from '@tollgate/outbound/request'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { TaskCall } from '@tollgate/providers/tasks/task-family'
import { proxyOf } from '@tollgate/upstream/prepare'
import { prepareTaskCall } from '@tollgate/upstream/task-call'
import { openResult } from '@tollgate/upstream/task-media'
import type { RelayDeps } from '../deps.ts'

const TIMEOUT_MS = 30_000

/** Asks the vendor of a task, with the key that submitted it. Throws OutboundError. */
export async function callTaskChannel(task: TaskRecord, call: TaskCall, deps: RelayDeps): Promise<OutboundAnswer> {
  const { request } = await toRequest(task, { call, headers: {} }, deps)
  return await deps.upstream.request({ ...request, timeoutMs: TIMEOUT_MS })
}

type Opening = { readonly call: TaskCall; readonly headers: Readonly<Record<string, string>>; readonly limits: StreamLimits }

/** A result of a task as a stream. A vendor that sends bytes within JSON serves no parts of them. Throws OutboundError. */
export async function openTaskChannel(task: TaskRecord, { limits, ...asked }: Opening, deps: RelayDeps): Promise<OpenedStream> {
  const { request, codec } = await toRequest(task, asked, deps)
  return await openResult(await openStream(deps.upstream, request, limits), codec)
}

async function toRequest(task: TaskRecord, { call, headers }: Omit<Opening, 'limits'>, deps: RelayDeps) {
  const { config, signer, now } = deps
  const channel = config.snapshot.channels.get(task.channel_id)
  if (channel === undefined) throw new AppError('tasks.channel-gone')
  if (channel.status !== ChannelStatus.enabled) throw new AppError('tasks.channel-disabled')
  const codec = findTaskFamily(task.family, channel.type)
  if (codec === undefined) throw new AppError('tasks.channel-gone')
  const known = { ...channel, key: config.keyOf(channel, task.channel_key), proxy: proxyOf(config.openedOf(channel).setting) }
  const prepared = await prepareTaskCall({ channel: known, codec, call }, { signer, now: now() })
  if (prepared.kind === 'no-address') throw new AppError('tasks.channel-gone')
  if (prepared.kind === 'failed') throw new OutboundError('invalid', prepared.failure.message)
  const { request } = prepared
  return { codec, request: { ...request, headers: { accept: '*/*', ...headers, ...request.headers } } satisfies StreamRequest }
}
