import { ownValue } from '@tollgate/contracts/values/own-value'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { ChannelFields } from '@tollgate/db/queries/channels/channels'
import { maskAddress, splitSecrets, type Setting } from '@tollgate/domain/channel-choice/setting-secrets'
import { changedFields } from '../../audit.ts'
import { parseObject } from './fields.ts'

type Shown = Partial<Omit<ChannelFields, 'setting'>>

/** The changed columns for the audit log, without secrets. */
export function auditedFields(before: Shown, after: Shown): AuditChange[] {
  return changedFields(toShown(before), toShown(after))
}

/** The changed fields of a setting; of a secret one that it changed, but not how. */
export function auditedSetting(before: Setting, after: Setting): AuditChange[] {
  const [shownBefore, shownAfter] = [splitSecrets(before).shown, splitSecrets(after).shown]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => JSON.stringify(ownValue(before, name)) !== JSON.stringify(ownValue(after, name)))
    .map((name) => {
      const [change] = changedFields({ [name]: ownValue(shownBefore, name) }, { [name]: ownValue(shownAfter, name) })
      return change === undefined ? { field: `setting.${name}` } : { ...change, field: `setting.${name}` }
    })
}

function toShown(fields: Shown): Readonly<Record<string, unknown>> {
  const { base_url, param_override } = fields
  const parsed = param_override === undefined ? undefined : parseObject(param_override)
  return {
    ...fields,
    ...(base_url === undefined ? {} : { base_url: maskAddress(base_url) }),
    ...(parsed === undefined ? {} : { param_override: JSON.stringify(splitSecrets(parsed).shown) }),
  }
}
