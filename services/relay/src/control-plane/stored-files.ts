import { AppError } from '@tollgate/contracts/app-error'
import { MAX_DEFERRED_ID, type StoredFile } from '@tollgate/contracts/deferred/deferred'
import { callDeferred } from './call-deferred.ts'
import type { ControlPlane } from './client.ts'

type Own = { readonly user_id: number; readonly id: string }
/** `shown`: the file's name in its client's API, for an error; absent: its id. */
type Shown = Own & { readonly shown?: string }
type Deps = { readonly controlPlane: Pick<ControlPlane, 'askDeferred'> }

/** No stored file has a longer id, and the control plane refuses to look for one. */
const isTooLong = ({ id }: Own): boolean => id.length > MAX_DEFERRED_ID

export const unknownFile = (name: string): AppError => new AppError('batches.unknown-file', { id: name.slice(0, MAX_DEFERRED_ID) })

/** A user's stored file; null if there is none. */
export async function lookUpFile({ user_id, id }: Own, deps: Deps): Promise<StoredFile | null> {
  if (isTooLong({ user_id, id })) return null
  return (await callDeferred('fileFind', { user_id, id }, deps)).file
}

/** A user's stored file. Throws AppError if there is none. */
export async function findStoredFile({ shown, ...own }: Shown, deps: Deps): Promise<StoredFile> {
  const file = await lookUpFile(own, deps)
  if (file === null) throw unknownFile(shown ?? own.id)
  return file
}

/** Deletes a user's stored file. Throws AppError if there is none, or if a batch needs it. */
export async function removeStoredFile({ shown, ...own }: Shown, deps: Deps): Promise<void> {
  const { result } = isTooLong(own) ? { result: 'unknown' } : await callDeferred('fileRemove', own, deps)
  if (result === 'unknown') throw unknownFile(shown ?? own.id)
  if (result === 'in_use') throw new AppError('request.field', { detail: 'a batch is about to read this file' })
}
