import { chakra, Flex, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { OutboxEntry } from '@tollgate/contracts/resources/deliveries'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { TimeText } from '../../../ui/display/number-text.tsx'
import { useDeliveryError } from '../../../ui/display/delivery-error.ts'
import { DeliveryTag } from '../../../ui/display/delivery-tag.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { ownNotices } from '../api.ts'

/** The latest notices to this user, and whether they arrived. */
export function OwnNotices(): ReactNode {
  const { t } = useTranslation('personal')
  const notices = useQuery(ownNotices)
  const { data, error } = notices
  return (
    <chakra.section aria-label={t('notices.title')}>
      <Text textStyle="section" color="text.strong" mb="2">
        {t('notices.title')}
      </Text>
      {error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void notices.refetch()} />}
      {notices.isPending ? <Skeleton height="10" /> : null}
      {data?.total === 0 ? <Text color="text.muted">{t('notices.none')}</Text> : null}
      <chakra.ul listStyleType="none" p="0" m="0">
        {data?.items.map((one) => (
          <NoticeRow key={one.id} notice={one} />
        ))}
      </chakra.ul>
    </chakra.section>
  )
}

function NoticeRow({ notice: { template, target, state, created_at, error } }: { readonly notice: OutboxEntry }): ReactNode {
  const { t } = useTranslation('deliveries')
  const errorOf = useDeliveryError()
  return (
    <chakra.li py="2" _notLast={{ borderBottomWidth: '1px', borderColor: 'border' }}>
      <Flex gap="2" wrap="wrap" align="center">
        <DeliveryTag state={state} />
        <Text color="text.strong">{t(`template.${template}`)}</Text>
        <Text textStyle="xs" color="text.muted">
          <TimeText time={created_at} absent="–" />
        </Text>
      </Flex>
      <Text textStyle="xs" color="text.muted" overflowWrap="anywhere">
        {target}
      </Text>
      {error === '' || state === 'sent' ? null : (
        <Text textStyle="xs" color="danger.fg" overflowWrap="anywhere">
          {errorOf(error)}
        </Text>
      )}
    </chakra.li>
  )
}
