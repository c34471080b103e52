import { chakra, Popover, Portal, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Log } from '@tollgate/contracts/resources/logs'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { userById } from './api.ts'

/** A username; a click loads that user's details. The popover is made when it is first asked for. */
export function UserName({ log }: { log: Log }): ReactNode {
  const [isMade, setMade] = useState(false)
  if (log.username === '') return null
  const name = (
    <chakra.button
      type="button"
      color="accent.fg"
      cursor="pointer"
      borderRadius="xs"
      focusVisibleRing="outside"
      aria-haspopup="dialog"
      {...(isMade ? {} : { onClick: () => setMade(true) })}
    >
      {log.username}
    </chakra.button>
  )
  if (!isMade) return name
  return (
    <Popover.Root defaultOpen lazyMount unmountOnExit positioning={{ placement: 'bottom-start' }}>
      <Popover.Trigger asChild>{name}</Popover.Trigger>
      <Portal>
        <Popover.Positioner>
          <Popover.Content aria-label={log.username}>
            <Popover.Body>
              <UserDetails id={log.user_id} name={log.username} />
            </Popover.Body>
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  )
}

function UserDetails({ id, name }: { id: number; name: string }): ReactNode {
  const { t } = useTranslation('logs')
  const { data, error } = useQuery(userById(id))
  if (error !== null) return <chakra.p color="danger.fg">{failureText(error)}</chakra.p>
  if (data === undefined) return <Spinner />
  return (
    <>
      <chakra.p textStyle="section" color="text.strong" mb="2">
        {t('user.title', { name })}
      </chakra.p>
      <chakra.dl display="grid" gridTemplateColumns="max-content 1fr" columnGap="4" rowGap="1">
        <Line name={t('user.id')}>{data.id}</Line>
        <Line name={t('user.group')}>{data.group}</Line>
        {data.email === '' ? null : <Line name={t('user.email')}>{data.email}</Line>}
        <Line name={t('user.quota')}>
          <QuotaText quota={data.quota} />
        </Line>
        <Line name={t('user.used')}>
          <QuotaText quota={data.used_quota} />
        </Line>
        <Line name={t('user.requests')}>{groupDigits(data.request_count)}</Line>
      </chakra.dl>
    </>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <>
      <chakra.dt color="text.muted">{name}</chakra.dt>
      <chakra.dd textAlign="end" color="text.strong" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </>
  )
}
