/** Runs that once failed, with the bug each found. `npm run chaos -- --regressions` repeats them. */
export type Regression = { readonly args: string; readonly found: string }

export const regressions: readonly Regression[] = [
  {
    args: '--seed 5 --seconds 40 --width 60 --gap 200-800 --kinds postgres-rollback,top-up,evict,token-quota',
    found: 'credits and grants that an older Postgres no longer had stayed in Redis, and the verifier did not report them',
  },
  {
    args: '--seed 302 --seconds 60 --requests 20000 --kills 30 --gap 500-3500 --width 128',
    found: 'a relay that died while its shard was being repaired had recorded no progress for 8.7 s',
  },
  {
    args: '--seed 50 --seconds 45 --width 96 --gap 3000-4000 --kinds postgres-rollback',
    found: 'while the first shards were being repaired, a wallet of the last shard was loaded from the older Postgres and spent twice',
  },
  {
    args: '--seed 401 --seconds 170 --width 96 --gap 500-3500',
    found: 'a relay settled by recorded progress a request whose final settlement it was about to send to a Redis that had come back older',
  },
  {
    args: '--seed 307 --seconds 60 --requests 20000 --kills 30 --gap 500-2800 --width 128',
    found: 'with the worker dead, a token was loaded from an older Postgres before recovery checked it, and fell 92 below zero',
  },
  {
    args: '--seed 308 --seconds 60 --requests 20000 --kills 30 --gap 500-2800 --width 128',
    found: 'recovery had not run between a backup and its restore: credit sent to Redis in between stayed there',
  },
  {
    args: '--seed 2522 --seconds 149 --requests 60000 --kills 60 --gap 1500-6000 --at-most 900',
    found: 'a rollback that was sent on a reset connection to Postgres was never answered, and the worker posted nothing until its restart',
  },
]
