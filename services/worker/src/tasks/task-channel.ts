import { keyIdOf } from '@tollgate/config/sealing'
import type { StreamRequest } from '@tollgate/outbound/open-stream'
import type { TaskCall, TaskFamilyCodec } from '@tollgate/providers/tasks/task-family'
import { digests } from '@tollgate/upstream/digests'
import type { Deps } from '../deps.ts'
import { openStoredChannel } from '../channels/stored-channel.ts'

export type TaskChannel = {
  readonly id: number
  readonly type: number
  readonly address: string
  readonly key: string
  readonly proxy: string | undefined
}

/** The channel that a task was submitted to, with that key; undefined: one of them is gone. */
export async function findTaskChannel(
  deps: Pick<Deps, 'db' | 'channelKeys'>,
  id: number,
  key_id: string,
): Promise<TaskChannel | undefined> {
  const channel = await openStoredChannel(deps, id)
  if (channel === undefined) return undefined
  const { row, keys, proxy, address } = channel
  const key = key_id === '' ? keys[0] : keys.find((one) => keyIdOf(one) === key_id)
  return key === undefined ? undefined : { id, type: row.type, address, key, proxy }
}

type TaskQuestion = { readonly channel: TaskChannel; readonly codec: TaskFamilyCodec; readonly call: TaskCall; readonly accept: string }

/** A call of the vendor about a task, with the channel's credential. */
export function toTaskRequest({ channel, codec, call, accept }: TaskQuestion, now: number): StreamRequest {
  const { id, key, address, proxy } = channel
  const { method, path, body } = call
  const credential = codec.credential({ key, call, host: new URL(address).host, now, digests })
  return {
    method,
    url: address + path,
    headers: { accept, ...credential },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    proxy,
    poolKey: `channel-${id}`,
  }
}
