import { sealedBy } from '@tollgate/config/sealing'
import { keyTailOf } from '@tollgate/domain/channel-choice/key-tail'
import { splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import type { Deps } from '../../deps.ts'

/** The columns of a channel's key text: sealed, its fingerprint, and the last characters of its keys for the search. */
export function toStoredKey({ sealers }: Pick<Deps, 'sealers'>, id: number, text: string) {
  const tails = splitKeys(text).map(keyTailOf)
  return {
    key_sealed: sealers.channels.seal(text, sealedBy.channelKey(id)),
    key_hash: sealers.channels.fingerprint(text),
    key_tails: tails.filter((tail) => tail !== '').join(' '),
  }
}
