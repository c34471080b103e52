import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { session } from './session.ts'

/**
 * Ends the session by a call, forgets what was read, and goes to the sign-in page. Calls that the server refuses meanwhile and
 * afterwards are no news: the user asked for the end. Throws what the call throws; the session then goes on.
 */
export function useLeave(): (call: () => Promise<unknown>) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (call) => {
    session.isLeaving = true
    try {
      await call()
    } catch (error) {
      session.isLeaving = false
      throw error
    }
    session.end()
    client.clear()
    await navigate({ to: '/login' })
  }
}
