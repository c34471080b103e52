import { queryOptions, useMutation } from '@tanstack/react-query'
import { setup, type SetupBody } from '@tollgate/contracts/resources/setup'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { call, callForMessage, keyOf } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'

/** The page tells a failure itself, with the text the specification gives. */
export const setupStatus = queryOptions({
  queryKey: keyOf(setup.get),
  queryFn: ({ signal }) => call(setup.get, { signal }),
  retry: false,
  meta: { quiet: true },
})

export function useInitialise() {
  return useMutation({
    mutationFn: async (body: SetupBody) => {
      const answer = await callForMessage(setup.create, { body })
      if (body.username !== '') await signInAsRoot(body)
      return answer
    },
    meta: { quiet: true },
  })
}

/** Root starts signed in. Where this fails, the page that follows asks for the password that was just chosen. */
async function signInAsRoot({ username, password }: SetupBody): Promise<void> {
  try {
    const user = await call(signIn.create, { query: { turnstile: '' }, body: { username, password } })
    session.start({
      id: user.id,
      username: user.username,
      display_name: user.display_name,
      role: user.role,
      status: user.status,
      group: user.group,
    })
  } catch {
    // The system is set up all the same; the sign-in page is the next one.
  }
}
