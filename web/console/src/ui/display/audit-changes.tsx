import { chakra, Text } from '@chakra-ui/react'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** The changed fields of an audit entry with their values; a field without values is a secret. */
export function AuditChanges({ changes }: { readonly changes: readonly AuditChange[] }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
      {changes.map(({ field, before, after }) => (
        <Text as="li" key={field} textStyle="xs" fontFamily="mono" overflowWrap="anywhere">
          {field}
          {before === undefined && after === undefined ? ` (${t('audit.secret')})` : ': '}
          {before === undefined ? null : <chakra.del color="danger.fg">{before === '' ? t('setting.empty') : before}</chakra.del>}
          {before !== undefined && after !== undefined ? ' → ' : ''}
          {after === undefined ? null : (
            <chakra.ins color="success.fg" textDecoration="none">
              {after === '' ? t('setting.empty') : after}
            </chakra.ins>
          )}
        </Text>
      ))}
    </chakra.ul>
  )
}
