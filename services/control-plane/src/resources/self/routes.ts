import { self } from '@tollgate/contracts/resources/self'
import { messages } from '@tollgate/contracts/texts/success-messages'
import { withMessage } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { getOwnInviteCode, transferInviteQuota } from './invites.ts'
import { createAccessToken, getSelf, listOwnModels, removeSelf, updateSelf } from './service.ts'
import { updateOwnSetting } from './setting.ts'
import { usableGroups } from './usable-groups.ts'

export const selfRoutes = (deps: Deps): Binding[] => [
  handle(self.get, ({ actor }) => getSelf(deps, actor)),
  handle(self.update, ({ actor, body, c, ip }) => updateSelf(deps, { actor, body, c, ip })),
  handle(self.remove, ({ actor, c, ip }) => removeSelf(deps, { actor, c, ip })),
  handle(self.groups, ({ actor }) => usableGroups(deps, actor.group)),
  handle(self.models, ({ actor }) => listOwnModels(deps, actor)),
  handle(self.createAccessToken, ({ actor, ip }) => createAccessToken(deps, { actor, ip })),
  handle(self.inviteCode, ({ actor }) => getOwnInviteCode(deps, actor)),
  handle(self.transferInviteQuota, async ({ actor, body, language }) => {
    await transferInviteQuota(deps, actor, body.quota)
    return withMessage(messages['self.transferred'][language])
  }),
  handle(self.updateSetting, async ({ c, actor, body, ip, language }) => {
    const { unconfirmed } = await updateOwnSetting(deps, { c, actor, ip, language }, body)
    if (unconfirmed === '') return withMessage(messages['self.setting-saved'][language])
    return withMessage(messages['self.confirm-address'][language].replace('{address}', unconfirmed))
  }),
]
