import { signIn } from '@tollgate/contracts/resources/sign-in'
import { call } from '../../lib/api.ts'
import { useLeave } from '../../lib/leave.ts'
import { report } from '../../lib/report.ts'
import { forgetAddress } from '../../lib/return-address.ts'

/** Ends the session on the server, forgets the user here whatever the answer, and goes to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const leave = useLeave()
  return () =>
    leave(async () => {
      await call(signIn.remove, {}).catch(report)
      forgetAddress()
    })
}
