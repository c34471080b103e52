import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { TaskRecord } from '@tollgate/contracts/tasks'
import type { OutboundAnswer, OutboundRequest } from '@tollgate/outbound/request'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { TaskCall } from '@tollgate/providers/tasks/task-family'
import { findVendor } from '@tollgate/providers/vendors/index'
import { digests } from '@tollgate/upstream/digests'
import { proxyOf } from '@tollgate/upstream/prepare'
import type { RelayDeps } from '../deps.ts'

type Asking = {
  readonly call: TaskCall
  readonly limits?: Pick<OutboundRequest, 'timeoutMs' | 'maxBytes'>
}

const LIMITS = { timeoutMs: 30_000 }

/** Asks the vendor of a task, with the key that submitted it. Throws OutboundError. */
export async function callTaskChannel(task: TaskRecord, { call, limits = LIMITS }: Asking, deps: RelayDeps): Promise<OutboundAnswer> {
  const { config, upstream } = deps
  const channel = config.snapshot.channels.get(task.channel_id)
  if (channel === undefined) throw new AppError('tasks.channel-gone')
  if (channel.status !== ChannelStatus.enabled) throw new AppError('tasks.channel-disabled')
  const codec = findTaskFamily(task.family, channel.type)
  const address = (channel.base_url === '' ? (findVendor(channel.type)?.baseUrl ?? '') : channel.base_url).replace(/\/+$/, '')
  if (codec === undefined || !URL.canParse(address)) throw new AppError('tasks.channel-gone')
  const { host } = new URL(address)
  const credential = codec.credential({ key: config.keyOf(channel, task.channel_key), call, host, now: deps.now(), digests })
  return await upstream.request({
    method: call.method,
    url: address + call.path,
    headers: { accept: '*/*', ...credential },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...limits,
    proxy: proxyOf(config.openedOf(channel).setting),
    poolKey: `channel-${channel.id}`,
  })
}
