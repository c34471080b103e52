import type { ControlPlaneEnv } from '@tollgate/config/env'
import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import type { ImportWishes } from '@tollgate/contracts/resources/imports'
import type { Failure } from './failure.ts'
import type { ImportProgress } from './run-import.ts'

/** Input of an import's thread; the address is in no argument, environment or file. */
export type ThreadData = {
  readonly env: ControlPlaneEnv
  readonly version: string
  /** The gateway's own stores and listeners. */
  readonly own: readonly string[]
  readonly source: ImportSource
  readonly wishes: ImportWishes
  readonly isDryRun: boolean
}

/** An address of a database, or an uploaded file. */
export type ImportSource = { readonly kind: 'address' | 'file'; readonly at: string; readonly shown: string }

export type FromThread =
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  | { readonly kind: 'finished'; readonly report: ImportReport }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly text: string }
