import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { Db } from '@tollgate/db/connect'
import { notifyUser, readUserSetting } from '@tollgate/db/queries/deliveries/notifications'
import { listOptions } from '@tollgate/db/queries/installation/options'
import type { PostedBalance } from '@tollgate/db/queries/ledger/posting'
import { formatQuota } from '@tollgate/domain/pricing/format'
import type { Logger } from '@tollgate/telemetry/logger'

export type BalanceNotices = {
  /** Tells users whose balance fell below their threshold. Never throws: posting does not depend on it. */
  check(balances: readonly PostedBalance[]): Promise<void>
}

type NoticeDeps = { readonly db: Db; readonly now: () => number; readonly log: Pick<Logger, 'warn'> }
type Site = Pick<OptionValues, 'QuotaRemindThreshold' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>

const OPTIONS_FOR_MS = 5000
/** A user that got a notice, or cannot get one now, is skipped for a minute; the database keeps the two hours. */
const QUIET_MS = 60_000
const MAX_QUIET = 10_000

/** Runs after the posting transaction: the balance after each charged request, from all relays, passes here. */
export function createBalanceNotices({ db, now, log }: NoticeDeps): BalanceNotices {
  const quiet = new BoundedMap<number, number>(MAX_QUIET)
  let site: { readonly values: Site; readonly readAt: number } | undefined

  const readSite = async (): Promise<Site> => {
    if (site !== undefined && now() - site.readAt < OPTIONS_FOR_MS) return site.values
    const stored = new Map((await listOptions(db)).map(({ key, value }) => [key, value]))
    const get = <K extends OptionKey>(key: K): OptionValues[K] => readOption(key, stored.get(key))
    const values = {
      QuotaRemindThreshold: get('QuotaRemindThreshold'),
      DisplayInCurrencyEnabled: get('DisplayInCurrencyEnabled'),
      QuotaPerUnit: get('QuotaPerUnit'),
    }
    site = { values, readAt: now() }
    return values
  }
  const tell = async ({ id, balance }: PostedBalance, style: Site): Promise<void> => {
    quiet.set(id, now() + QUIET_MS)
    const values = { balance: balanceText(balance, style) }
    await db.transaction().execute((tx) => notifyUser(tx, { user_id: id, notice: 'low-balance', values, now: Math.floor(now() / 1000) }))
  }
  return {
    check: async (balances) => {
      try {
        const loud = balances.filter(({ id }) => (quiet.get(id) ?? 0) <= now())
        if (loud.length === 0) return
        const style = await readSite()
        for (const row of loud) {
          const threshold = readUserSetting(row.setting).quota_warning_threshold ?? style.QuotaRemindThreshold
          if (row.balance < threshold) await tell(row, style)
        }
      } catch (err) {
        log.warn({ err }, 'Users could not be told of a low balance; their next request tries again')
      }
    },
  }
}

/** The form that existing receivers read: `＄0.002000`, or the plain quota. */
const balanceText = (balance: number, { DisplayInCurrencyEnabled, QuotaPerUnit }: Site): string =>
  formatQuota(balance, { display_in_currency: DisplayInCurrencyEnabled, quota_per_unit: QuotaPerUnit })
