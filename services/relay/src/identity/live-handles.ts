import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { parseJsonObject, textAt } from '@tollgate/providers/json'
import type { Bound } from '../request/bound.ts'

/** A live session that can be resumed: on the channel and key that have it, and as the model that it is charged as. */
type LiveHandle = { readonly channel_id: number; readonly key_id: string; readonly model: string; readonly handle: string }

/** Names of live sessions, sealed for their user: the vendor would resume one for every user of its key. */
export type LiveHandles = {
  seal(user_id: number, handle: LiveHandle): string
  /** Where a session is resumed, and the vendor's own name of it. Throws for a name that this user did not get for this model. */
  open(user_id: number, given: Pick<LiveHandle, 'handle' | 'model'>): Bound & { readonly handle: string }
}

export function createLiveHandles({ sealer }: { readonly sealer: Sealer }): LiveHandles {
  return {
    seal: (user_id, handle) => sealer.seal(JSON.stringify(handle), sealedBy.liveHandle(user_id)),
    open: (user_id, given) => {
      const detail = 'the session cannot be resumed: its handle is not known here'
      const refusal = new AppError('request.field', { detail, field: 'setup.sessionResumption.handle' })
      const opened = parseJsonObject(unseal(sealer, user_id, given.handle) ?? '')
      const { handle, key_id, channel_id } = opened ?? {}
      if (typeof handle !== 'string' || typeof key_id !== 'string' || typeof channel_id !== 'number') throw refusal
      if (textAt(opened, 'model') !== given.model) throw refusal
      return { channel_id, key_id, handle, refusal }
    },
  }
}

function unseal(sealer: Sealer, user_id: number, sealed: string): string | undefined {
  try {
    return sealer.unseal(sealed, sealedBy.liveHandle(user_id))
  } catch {
    return undefined
  }
}
