type RedisAddresses = { readonly REDIS_URL: string; readonly LEDGER_REDIS_URL: string }

/** The server of the ledger: that of everything else, unless it has one of its own. */
export const ledgerRedisUrl = ({ REDIS_URL, LEDGER_REDIS_URL }: RedisAddresses): string =>
  LEDGER_REDIS_URL === '' ? REDIS_URL : LEDGER_REDIS_URL

/** True if the ledger has a server of its own. */
export const hasLedgerRedis = (env: RedisAddresses): boolean => ledgerRedisUrl(env) !== env.REDIS_URL
