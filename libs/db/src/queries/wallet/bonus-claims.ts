import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'

/** Claims by the keyed hashes of what is claimed, with the newest key and with all keys. */
export type Claim = { readonly newest: string; readonly all: readonly string[] }

/**
 * Records claims and returns whether none of them was known. Of transactions that claim the same at once, the later waits for the first
 * and finds it known.
 */
export async function addBonusClaims(tx: Tx, claims: readonly Claim[], now: UnixSeconds): Promise<boolean> {
  if (claims.length === 0) return true
  // One order for all transactions, so that two of them cannot wait for each other.
  const rows = [...new Set(claims.map(({ newest }) => newest))].toSorted().map((claim) => ({ claim, created_at: now }))
  const added = await tx
    .insertInto('bonus_claims')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('claim')
    .execute()
  if (added.length < rows.length) return false
  const older = claims.flatMap(({ newest, all }) => all.filter((claim) => claim !== newest))
  if (older.length === 0) return true
  return (await tx.selectFrom('bonus_claims').select('claim').where('claim', 'in', older).limit(1).execute()).length === 0
}
