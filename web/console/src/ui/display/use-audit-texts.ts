import type { AuditEntry } from '@tollgate/contracts/resources/audit'
import { useTranslation } from 'react-i18next'

type Known = 'create'

/** The parts of an audit entry in the reader's language (texts `audit`). */
export function useAuditTexts() {
  const { t, i18n } = useTranslation('audit')
  return {
    actor: ({ actor_id, actor_name }: AuditEntry): string => {
      if (actor_id !== 0) return `${actor_name} (#${actor_id})`
      // An identity provider acts by a token and has no account.
      return actor_name.startsWith('SCIM: ') ? actor_name : t('system')
    },
    // An action is any verb: one that this console does not know is shown as it is.
    action: ({ action }: AuditEntry): string => (i18n.exists(`audit:action.${action}`) ? t(`action.${action as Known}`) : action),
    resource: ({ resource, resource_id, resource_name }: AuditEntry): string => {
      const name = resource_name === '' ? '' : ` · ${resource_name}`
      return resource_id === '' ? t(`resource.${resource}`) : `${t(`resource.${resource}`)} ${resource_id}${name}`
    },
  }
}
