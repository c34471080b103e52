import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { openStream, type OpenedStream, type StreamLimits, type StreamRequest } from '@tollgate/outbound/open-stream'
import type { OutboundAnswer } from '@tollgate/outbound/request'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { TaskCall } from '@tollgate/providers/tasks/task-family'
import { findVendor } from '@tollgate/providers/vendors/index'
import { digests } from '@tollgate/upstream/digests'
import { proxyOf } from '@tollgate/upstream/prepare'
import type { RelayDeps } from '../deps.ts'

const TIMEOUT_MS = 30_000

/** Asks the vendor of a task, with the key that submitted it. Throws OutboundError. */
export async function callTaskChannel(task: TaskRecord, call: TaskCall, deps: RelayDeps): Promise<OutboundAnswer> {
  return await deps.upstream.request({ ...toRequest(task, { call, headers: {} }, deps), timeoutMs: TIMEOUT_MS })
}

type Opening = { readonly call: TaskCall; readonly headers: Readonly<Record<string, string>>; readonly limits: StreamLimits }

/** The same as a stream. */
export async function openTaskChannel(task: TaskRecord, { limits, ...asked }: Opening, deps: RelayDeps): Promise<OpenedStream> {
  return await openStream(deps.upstream, toRequest(task, asked, deps), limits)
}

function toRequest(task: TaskRecord, { call, headers }: Omit<Opening, 'limits'>, { config, now }: RelayDeps): StreamRequest {
  const channel = config.snapshot.channels.get(task.channel_id)
  if (channel === undefined) throw new AppError('tasks.channel-gone')
  if (channel.status !== ChannelStatus.enabled) throw new AppError('tasks.channel-disabled')
  const codec = findTaskFamily(task.family, channel.type)
  const address = (channel.base_url === '' ? (findVendor(channel.type)?.baseUrl ?? '') : channel.base_url).replace(/\/+$/, '')
  if (codec === undefined || !URL.canParse(address)) throw new AppError('tasks.channel-gone')
  const { host } = new URL(address)
  const credential = codec.credential({ key: config.keyOf(channel, task.channel_key), call, host, now: now(), digests })
  return {
    method: call.method,
    url: address + call.path,
    headers: { accept: '*/*', ...headers, ...credential },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    proxy: proxyOf(config.openedOf(channel).setting),
    poolKey: `channel-${channel.id}`,
  }
}
