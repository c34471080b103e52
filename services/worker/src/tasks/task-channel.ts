import { keyIdOf } from '@tollgate/config/sealing'
import type { TaskChannel } from '@tollgate/upstream/task-call'
import type { Deps } from '../deps.ts'
import { openStoredChannel } from '../channels/stored-channel.ts'

/** The channel that a task was submitted to, with that key; undefined: one of them is gone. */
export async function findTaskChannel(
  deps: Pick<Deps, 'db' | 'channelKeys'>,
  id: number,
  key_id: string,
): Promise<TaskChannel | undefined> {
  const channel = await openStoredChannel(deps, id)
  if (channel === undefined) return undefined
  const { row, keys, proxy } = channel
  const key = key_id === '' ? keys[0] : keys.find((one) => keyIdOf(one) === key_id)
  const { type, base_url, other } = row
  return key === undefined ? undefined : { id, type, base_url, other, key, proxy }
}
