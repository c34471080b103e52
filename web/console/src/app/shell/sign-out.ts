import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { call } from '../../lib/api.ts'
import { report } from '../../lib/report.ts'
import { forgetAddress } from '../../lib/return-address.ts'
import { session } from '../../lib/session.ts'

/** Ends the session on the server, forgets the user here whatever the answer, and goes to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await session.leave(() => call(signIn.remove, {}).catch(report))
    forgetAddress()
    client.clear()
    await navigate({ to: '/login' })
  }
}
