import { useMutation } from '@tanstack/react-query'
import { registration } from '@tollgate/contracts/resources/registration'
import { call, callForMessage } from '../../lib/api.ts'
import { storage } from '../../lib/storage.ts'

export type NewAccount = {
  readonly username: string
  readonly password: string
  readonly password2: string
  readonly email: string
  readonly verification_code: string
}
type WithCheck = { readonly turnstile: string }

/** Registers with the invite code that a link has left behind, which is then used up. */
export function useRegister() {
  return useMutation({
    mutationFn: ({ turnstile, ...account }: NewAccount & WithCheck) =>
      call(registration.create, { query: { turnstile }, body: { ...account, aff_code: storage.get('aff') ?? '' } }),
    onSuccess: () => storage.remove('aff'),
  })
}

export function useSendCode() {
  return useMutation({ mutationFn: (query: { readonly email: string } & WithCheck) => call(registration.sendCode, { query }) })
}

/** Gives the server's message: it is the same whether the address has an account or not. */
export function useSendReset() {
  return useMutation({
    mutationFn: async (query: { readonly email: string } & WithCheck) => (await callForMessage(registration.sendReset, { query })).message,
  })
}

/** Gives the new password. The page shows a refusal itself. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { readonly email: string; readonly token: string }) => call(registration.resetPassword, { body }),
    meta: { quiet: true },
  })
}
