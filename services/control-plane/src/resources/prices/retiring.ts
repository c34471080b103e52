import type { UnixSeconds } from '@tollgate/contracts/units'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { builtInCatalogue } from '@tollgate/providers/catalogue/models.gen'

export type RetiringModel = { readonly model: string; readonly retires: string; readonly successor?: string }

/** Models that their maker stops serving on the day of this time or earlier. */
export function retiringUntil(at: UnixSeconds): RetiringModel[] {
  const until = utcDay(at)
  return builtInCatalogue.models.flatMap(({ name, retires, successor }) =>
    retires !== undefined && retires <= until ? [{ model: name, retires, ...(successor === undefined ? {} : { successor }) }] : [],
  )
}
