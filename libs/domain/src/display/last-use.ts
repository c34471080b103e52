import type { UnixSeconds } from '@tollgate/contracts/units'

type Use = { readonly created_time: UnixSeconds; readonly accessed_time: UnixSeconds; readonly used_quota: number }

/** When a token was last used; 0: never. On the wire `accessed_time` of a new token is the time of its creation. */
export function lastUseOf({ created_time, accessed_time, used_quota }: Use): UnixSeconds {
  return used_quota === 0 && accessed_time <= created_time ? 0 : accessed_time
}
