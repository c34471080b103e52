import { Button, Flex } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { EventDelivery, WebhookEndpoint } from '@tollgate/contracts/resources/webhook-endpoints'
import { timeText } from '@tollgate/domain/display/time-text'
import { RotateCw, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saying } from '../../lib/saying.ts'
import { useDeliveryError } from '../../ui/display/delivery-error.ts'
import { DeliveryTag } from '../../ui/display/delivery-tag.tsx'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { DetailDrawer, LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { PanelRow } from '../../ui/page/panel.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { endpointDeliveries, useSendAgain, useTestEndpoint } from './endpoints-api.ts'

type DrawerProps = { readonly endpoint: WebhookEndpoint; readonly onClose: () => void }

/** The last deliveries of an endpoint; those that ended can be sent again. */
export function EndpointDeliveries({ endpoint: { id, name }, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('endpoints')
  const query = useQuery(endpointDeliveries(id))
  const title = t('deliveries-of', { name })
  const testing = useTestEndpoint()
  const test = (
    <Button variant="outline" loading={testing.isPending} onClick={() => void saying(testing.mutateAsync(id), () => t('tested'))}>
      <Send aria-hidden />
      {t('test')}
    </Button>
  )
  return (
    <LoadingDrawer title={title} size="lg" query={query} onClose={onClose}>
      {(deliveries) => (
        <DetailDrawer title={title} size="lg" onClose={onClose} footer={test}>
          {deliveries.length === 0 ? (
            <EmptyState title={t('no-deliveries')} help={t('no-deliveries-help')} icon={<Send />} />
          ) : (
            deliveries.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />)
          )}
        </DetailDrawer>
      )}
    </LoadingDrawer>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: EventDelivery }): ReactNode {
  const { t } = useTranslation('endpoints')
  const errorOf = useDeliveryError()
  const sending = useSendAgain()
  const { id, event_id, type, state, attempts, created_at, due_at, error } = delivery
  const facts = [
    timeText(created_at),
    t('attempts', { count: attempts }),
    ...(state === 'waiting' && attempts > 0 ? [t('next', { time: timeText(due_at) })] : []),
    ...(error === '' ? [] : [errorOf(error)]),
  ]
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          {t(`event.${type}`, { defaultValue: type })}
          <DeliveryTag state={state} />
        </Flex>
      }
      action={
        state === 'waiting' ? undefined : (
          <IconButton
            size="sm"
            variant="ghost"
            label={t('send-again')}
            loading={sending.isPending}
            onClick={() => void saying(sending.mutateAsync(id), () => t('sent-again'))}
          >
            <RotateCw />
          </IconButton>
        )
      }
    >
      {facts.join(' · ')}
      <br />
      {event_id}
    </PanelRow>
  )
}
