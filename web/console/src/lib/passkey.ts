import { passkeys, type Passkey, type PasskeyResponse } from '@tollgate/contracts/resources/two-factor'
import type { User } from '@tollgate/contracts/resources/users'
import i18next from 'i18next'
import { ApiError } from './api-error.ts'
import { call } from './api.ts'

/** True if this page may use passkeys: over HTTPS or localhost, under a name, in a browser that knows them. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname)
  return 'PublicKeyCredential' in window && window.isSecureContext && !isAddress
}

/** Asks the person for a passkey, and returns what proves it. */
export async function askForPasskey(): Promise<PasskeyResponse> {
  const optionsJSON = await call(passkeys.startSignIn, {})
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // The server's library made the options for this one.
  const options = optionsJSON as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return (await orCancelled(startAuthentication({ optionsJSON: options }))) as PasskeyResponse
}

export async function signInWithPasskey(): Promise<User> {
  return call(passkeys.signIn, { body: { response: await askForPasskey() } })
}

/** Makes a passkey on a device of the person, and adds it to the account. */
export async function addPasskey(name: string): Promise<Passkey> {
  const optionsJSON = await call(passkeys.startNew, {})
  const { startRegistration } = await import('@simplewebauthn/browser')
  // The server's library made the options for this one.
  const options = optionsJSON as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = (await orCancelled(startRegistration({ optionsJSON: options }))) as PasskeyResponse
  return call(passkeys.create, { body: { name, response } })
}

/** The browser does not say why a person used no passkey. */
async function orCancelled<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    throw new ApiError({ kind: 'refused', message: i18next.t('third-party:passkey.cancelled') }, { cause })
  }
}
