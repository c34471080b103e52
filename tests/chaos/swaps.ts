import type { FaultKind } from './faults.ts'

/** Faults after which Postgres is older than it was. */
export const POSTGRES_SWAPS: readonly FaultKind[] = ['postgres-rollback', 'postgres-fail-over-async']
