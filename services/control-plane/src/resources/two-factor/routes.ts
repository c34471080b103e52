import { passkeys, twoFactor } from '@tollgate/contracts/resources/two-factor'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { startPasskey } from '../../authentication/passkeys.ts'
import { createOwnPasskey, removeOwnPasskey, signInWithPasskey, startOwnPasskey } from './passkeys.ts'
import { confirmTwoFactor, getTwoFactor, renewRecoveryCodes, resetTwoFactor, startOwnTwoFactor, turnTwoFactorOff } from './service.ts'

export const twoFactorRoutes = (deps: Deps): Binding[] => [
  handle(twoFactor.get, ({ actor }) => getTwoFactor(deps, actor)),
  handle(twoFactor.start, ({ actor }) => startOwnTwoFactor(deps, actor)),
  handle(twoFactor.confirm, ({ c, ip, actor, body }) => confirmTwoFactor(deps, { c, ip, actor }, body.code)),
  handle(twoFactor.renewCodes, ({ ip, actor }) => renewRecoveryCodes(deps, { ip, actor })),
  handle(twoFactor.remove, ({ ip, actor }) => turnTwoFactorOff(deps, { ip, actor })),
  handle(twoFactor.reset, ({ ip, actor, params }) => resetTwoFactor(deps, { ip, actor }, params.id)),
  handle(passkeys.startNew, ({ c, actor }) => startOwnPasskey(deps, c, actor)),
  handle(passkeys.create, ({ c, ip, actor, body }) => createOwnPasskey(deps, { c, ip, actor }, body)),
  handle(passkeys.remove, ({ ip, actor, params }) => removeOwnPasskey(deps, { ip, actor }, params.id)),
  handle(passkeys.startSignIn, ({ c }) => startPasskey(deps, c)),
  handle(passkeys.signIn, ({ c, body }) => signInWithPasskey(deps, c, body.response)),
]
