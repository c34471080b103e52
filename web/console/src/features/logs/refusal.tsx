import { chakra } from '@chakra-ui/react'
import { LogType } from '@tollgate/contracts/enums'
import type { Log } from '@tollgate/contracts/resources/logs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { otherOf } from '../../ui/display/log-other.ts'
import { refusalKey, refusalValues, type RefusalKey } from '../../ui/display/refusal-view.ts'

/** Why a request was refused, and what would have to change for it to pass. */
export function Refusal({ log, isAdmin }: { log: Log; isAdmin: boolean }): ReactNode {
  const { t, i18n } = useTranslation('refusals')
  if (log.type !== LogType.refused) return null
  const { reason } = otherOf(log)
  const key = refusalKey(reason)
  const values = refusalValues(log, i18n.language)
  const adminFix = ADMIN_FIXES[key]
  return (
    <chakra.section
      role="note"
      borderWidth="1px"
      borderColor="warning.border"
      bg="warning.subtle"
      borderRadius="control"
      px="4"
      py="3"
      display="flex"
      flexDirection="column"
      gap="1.5"
    >
      <chakra.h3 textStyle="section" color="text.strong">
        {t(`title.${key}`, values)}
      </chakra.h3>
      <chakra.p>{t(`fix.${key}`, values)}</chakra.p>
      {isAdmin && adminFix !== undefined ? <chakra.p>{t(`admin-fix.${adminFix}`, values)}</chakra.p> : null}
      <chakra.p textStyle="xs" color="text.muted">
        {t('not-charged')}
      </chakra.p>
    </chakra.section>
  )
}

/** Remedies of an administrator, beside those of the client. */
const ADMIN_FIXES: Partial<Record<RefusalKey, 'price' | 'channel' | 'user-quota' | 'rate' | 'user'>> = {
  'model-unpriced': 'price',
  'channel-none': 'channel',
  'model-unknown': 'channel',
  'quota-user': 'user-quota',
  'rate-model': 'rate',
  'user-disabled': 'user',
}
