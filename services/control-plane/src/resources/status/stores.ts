import type { Store } from '@tollgate/contracts/resources/status'
import { pingDb } from '@tollgate/db/queries/installation/ping'
import { isAnswered } from '@tollgate/redis/with-timeout'
import { listServers } from '@tollgate/redis/ledger-servers'
import type { Deps } from '../../deps.ts'

const ANSWER_WITHIN_MS = 1000
/** Every open page asks while it waits, so that they share one probe. */
const KEPT_MS = 1000

/** Says which stores do not answer. */
export function createStoreProbe({
  db,
  redis,
  ledgerRedis,
  now,
}: Pick<Deps, 'db' | 'redis' | 'ledgerRedis' | 'now'>): () => Promise<Store[]> {
  let [latest, at] = [Promise.resolve<Store[]>([]), -Infinity]
  const probe = async (): Promise<Store[]> => {
    const [hasPostgres, ...hasRedis] = await Promise.all([
      isAnswered(pingDb(db), ANSWER_WITHIN_MS),
      ...[...new Set([redis, ...listServers(ledgerRedis)])].map((one) =>
        one.status === 'ready' ? isAnswered(one.ping(), ANSWER_WITHIN_MS) : false,
      ),
    ])
    return [...(hasPostgres ? [] : ['postgres' as const]), ...(hasRedis.every(Boolean) ? [] : ['redis' as const])]
  }
  return () => {
    if (now() - at >= KEPT_MS) [latest, at] = [probe(), now()]
    return latest
  }
}
