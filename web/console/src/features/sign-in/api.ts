import { queryOptions, useMutation } from '@tanstack/react-query'
import { oauth, type RedirectProvider } from '@tollgate/contracts/resources/oauth'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import type { User } from '@tollgate/contracts/resources/users'
import { ApiError } from '../../lib/api-error.ts'
import { call, callForMessage, keyOf } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'

export type Credentials = { readonly username: string; readonly password: string }

/** Stores who is signed in. */
export function keepSignedIn({ id, username, display_name, role, status, group }: User): void {
  session.start({ id, username, display_name, role, status, group })
}

/** True if the first factor was right and a code is needed now. */
export function needsCode(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && error.failure.field === 'code'
}

/** Signs in and stores who it is. `turnstile` is the human check's answer, empty while that is off. */
export function useSignIn() {
  return useMutation({
    mutationFn: ({ credentials, turnstile }: { readonly credentials: Credentials; readonly turnstile: string }) =>
      call(signIn.create, { query: { turnstile }, body: { ...credentials } }),
    onSuccess: keepSignedIn,
    meta: { quiet: true },
  })
}

const CALLBACKS = { github: oauth.github, oidc: oauth.oidc, linuxdo: oauth.linuxdo } as const

/** Hands in what the provider's page sent along. A query, so that it is handed in once however often the page renders. */
export const callbackOf = (provider: RedirectProvider, given: URLSearchParams) =>
  queryOptions({
    queryKey: keyOf(CALLBACKS[provider], given.toString()),
    queryFn: async () => {
      const textIn = (name: string): string => given.get(name) ?? ''
      const query = { code: textIn('code'), state: textIn('state'), error: textIn('error'), error_description: textIn('error_description') }
      const { message, data } = await callForMessage(CALLBACKS[provider], { query })
      // The server's answer: null for a binding, because a query has no undefined result.
      return message === 'bind' ? null : (data as User)
    },
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  })
