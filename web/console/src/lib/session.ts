import { storage, useStored, type StoredUser } from './storage.ts'

export const ADMIN = 10
export const ROOT = 100

let leaving: 'no' | 'begun' | 'done' = 'no'

/** Who is signed in, as far as this browser knows; the server decides on every call. */
export const session = {
  user: (): StoredUser | undefined => storage.get('user'),
  start: (user: StoredUser): void => {
    leaving = 'no'
    storage.set('user', user)
  },
  end: (): void => storage.remove('user'),
  /** Ends the session by a call. Calls that the server refuses meanwhile and afterwards are no news: the user asked for the end. */
  leave: async (call: () => Promise<unknown>): Promise<void> => {
    leaving = 'begun'
    try {
      await call()
    } catch (error) {
      leaving = 'no'
      throw error
    }
    leaving = 'done'
    storage.remove('user')
  },
  /** Until the next sign-in, in this tab or another. */
  isLeaving: (): boolean => leaving === 'begun' || (leaving === 'done' && storage.get('user') === undefined),
} as const

export function useUser(): StoredUser | undefined {
  return useStored('user')
}

export const isAdmin = (user: StoredUser | undefined): boolean => (user?.role ?? 0) >= ADMIN
export const isRoot = (user: StoredUser | undefined): boolean => (user?.role ?? 0) >= ROOT
