import { storage, useStored, type StoredUser } from './storage.ts'

export const ADMIN = 10
export const ROOT = 100

let isLeaving = false

/** Who is signed in, as far as this browser knows; the server decides on every call. */
export const session = {
  user: (): StoredUser | undefined => storage.get('user'),
  start: (user: StoredUser): void => {
    isLeaving = false
    storage.set('user', user)
  },
  end: (): void => storage.remove('user'),
  /** Ends the session by a call. Calls that the server refuses meanwhile and afterwards are no news: the user asked for the end. */
  leave: async (call: () => Promise<unknown>): Promise<void> => {
    isLeaving = true
    try {
      await call()
      storage.remove('user')
    } finally {
      // Until the next sign-in in this tab.
      isLeaving = storage.get('user') === undefined
    }
  },
  isLeaving: (): boolean => isLeaving,
} as const

export function useUser(): StoredUser | undefined {
  return useStored('user')
}

export const isAdmin = (user: StoredUser | undefined): boolean => (user?.role ?? 0) >= ADMIN
export const isRoot = (user: StoredUser | undefined): boolean => (user?.role ?? 0) >= ROOT
