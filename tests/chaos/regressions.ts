/** Runs that once failed, with what they found. `npm run chaos -- --regressions` plays each of them again. */
export type Regression = { readonly args: string; readonly found: string }

export const regressions: readonly Regression[] = [
  {
    args: '--seed 5 --seconds 40 --width 60 --gap 200-800 --kinds postgres-rollback,top-up,evict,token-quota',
    found: 'credit and grants that a Postgres from before no longer had stayed in Redis, the verifier saw nothing',
  },
  {
    args: '--seed 302 --seconds 60 --requests 20000 --kills 30 --gap 500-3500 --width 128',
    found: 'a relay that died while its shard was under repair had noted nothing for 8.7 s',
  },
  {
    args: '--seed 50 --seconds 45 --width 96 --gap 3000-4000 --kinds postgres-rollback',
    found: 'while the first shards were repaired, a cold wallet of the last one was loaded from the older Postgres and spent twice',
  },
  {
    args: '--seed 401 --seconds 170 --width 96 --gap 500-3500',
    found: 'a relay ended by its progress what it was about to send again to a Redis that had come back older',
  },
  {
    args: '--seed 307 --seconds 60 --requests 20000 --kills 30 --gap 500-2800 --width 128',
    found: 'a cold token was loaded from an older Postgres before the keeper looked, its worker being dead, and went 92 below zero',
  },
  {
    args: '--seed 308 --seconds 60 --requests 20000 --kills 30 --gap 500-2800 --width 128',
    found: 'the keeper had not looked between a backup and its return: credit told to Redis meanwhile stayed there',
  },
]
