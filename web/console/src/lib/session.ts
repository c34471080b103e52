import { storage, useStored, type StoredUser } from './storage.ts'

export const ADMIN = 10
export const ROOT = 100

/** Who is signed in, as far as this browser knows; the server decides on every call. */
export const session = {
  /** True from when the user asks to leave until the next sign-in in this tab. */
  isLeaving: false,
  user: (): StoredUser | undefined => storage.get('user'),
  start: (user: StoredUser): void => {
    session.isLeaving = false
    storage.set('user', user)
  },
  end: (): void => storage.remove('user'),
}

export function useUser(): StoredUser | undefined {
  return useStored('user')
}

export const isAdmin = (user: StoredUser | undefined): boolean => (user?.role ?? 0) >= ADMIN
export const isRoot = (user: StoredUser | undefined): boolean => (user?.role ?? 0) >= ROOT
