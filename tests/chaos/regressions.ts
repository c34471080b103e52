/** Runs that once failed, with what they found. `npm run chaos -- --regressions` plays each of them again. */
export type Regression = { readonly args: string; readonly found: string }

export const regressions: readonly Regression[] = [
  {
    args: '--seed 5 --seconds 40 --width 60 --gap 200-800 --kinds postgres-rollback,top-up,evict,token-quota',
    found: 'credit and grants that a Postgres from before no longer had stayed in Redis, the verifier saw nothing',
  },
]
