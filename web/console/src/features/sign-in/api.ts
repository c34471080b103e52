import { useMutation } from '@tanstack/react-query'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { call } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'

export type Credentials = { readonly username: string; readonly password: string }

/** Signs in and stores who it is. `turnstile` is the human check's answer, empty while that is off. */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ credentials, turnstile }: { readonly credentials: Credentials; readonly turnstile: string }) =>
      call(signIn.create, { query: { turnstile }, body: { ...credentials } }),
    onSuccess: ({ id, username, display_name, role, status, group }) => session.start({ id, username, display_name, role, status, group }),
  })
}
