import { Button, Skeleton } from '@chakra-ui/react'
import { DELIVERY_STATES } from '@tollgate/contracts/texts/mails'
import type { OutboxEntry } from '@tollgate/contracts/resources/deliveries'
import { Lock, MailWarning, RotateCw } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../i18n/start.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { saying } from '../../lib/saying.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { useDeliveryError } from '../../ui/display/delivery-error.ts'
import { DeliveryTag } from '../../ui/display/delivery-tag.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { usePagedList } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { deliveryPage, useRetryDelivery } from './api.ts'
import type { DeliverySearch } from './search.ts'

/** Fetched when they are shown: the list opens without them. */
const Endpoints = lazy(async () => {
  const [{ Endpoints: component }] = await Promise.all([import('./endpoints.tsx'), loadTexts('endpoints', 'security')])
  return { default: component }
})

type ListProps = { readonly search: DeliverySearch; readonly onSearch: (search: DeliverySearch) => void }
type PageProps = ListProps & { readonly guarded: Guarded }

/** `/delivery`: the mails and webhooks of the system, or the endpoints that get its events, for root. */
export function DeliveriesPage({ search, onSearch, guarded }: PageProps): ReactNode {
  const { t } = useTranslation('deliveries')
  if (isRoot(useUser())) {
    if (search.view !== 'endpoints') return <Deliveries search={search} onSearch={onSearch} />
    return (
      <Suspense fallback={<Skeleton h="60" aria-busy />}>
        <Endpoints guarded={guarded} onBack={() => onSearch({})} />
      </Suspense>
    )
  }
  return (
    <Page title={t('title')}>
      <EmptyState icon={<Lock />} title={t('root-only')} help={t('root-only-help')} />
    </Page>
  )
}

function Deliveries({ search, onSearch }: ListProps): ReactNode {
  const { t } = useTranslation('deliveries')
  const { state = '' } = search
  const list = usePagedList(search.page ?? 1, (p, page_size) => deliveryPage({ p, page_size, state }))
  return (
    <ResourceList
      name="delivery"
      title={t('title')}
      list={list}
      columns={useColumns()}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: t('column.state'),
          choices: [{ value: '', label: t('filter.all') }, ...DELIVERY_STATES.map((value) => ({ value, label: t(`state.${value}`) }))],
        },
      ]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ id }) => String(id)}
      isSortable={false}
      actions={() => (
        <Button variant="outline" onClick={() => onSearch({ view: 'endpoints' })}>
          {t('endpoints')}
        </Button>
      )}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <MailWarning /> }}
    />
  )
}

function useColumns(): readonly Column<OutboxEntry>[] {
  const { t } = useTranslation(['deliveries', 'display'])
  const retry = useRetryDelivery()
  const time = (id: 'created' | 'ended' | 'next', of: (one: OutboxEntry) => number): Column<OutboxEntry> => ({
    id,
    header: t(`column.${id}`),
    cell: (one) => <TimeText time={of(one)} absent="—" />,
    text: of,
  })
  return [
    {
      id: 'template',
      header: t('column.template'),
      cell: ({ template }) => t(`template.${template}`),
      text: ({ template }) => t(`template.${template}`),
      isFixed: true,
      card: 'title',
    },
    {
      id: 'state',
      header: t('column.state'),
      cell: ({ state }) => <DeliveryTag state={state} />,
      text: ({ state }) => t(`state.${state}`),
      card: 'status',
    },
    {
      id: 'channel',
      header: t('column.channel'),
      cell: ({ channel }) => t(`channel.${channel}`),
      text: ({ channel }) => t(`channel.${channel}`),
    },
    {
      id: 'target',
      header: t('column.target'),
      cell: ({ target }) => <CutText text={target} />,
      text: ({ target }) => target,
      card: 'line',
    },
    useErrorColumn(),
    { id: 'attempts', header: t('column.attempts'), cell: ({ attempts }) => attempts, text: ({ attempts }) => attempts, align: 'end' },
    { ...time('created', ({ created_at }) => created_at), card: 'line' },
    time('next', ({ state, due_at }) => (state === 'waiting' ? due_at : 0)),
    { ...time('ended', ({ ended_at }) => ended_at), isOptional: true },
    {
      id: 'user',
      header: t('column.user'),
      cell: ({ user_id }) => (user_id === 0 ? '—' : user_id),
      text: ({ user_id }) => user_id,
      isOptional: true,
    },
    {
      id: 'actions',
      header: t('display:table.actions'),
      cell: ({ id, state }) =>
        state === 'dead' ? (
          <RowActions
            inline={[
              {
                label: t('retry'),
                icon: <RotateCw />,
                isBusy: retry.isPending && retry.variables === id,
                run: () => void saying(retry.mutateAsync(id), () => t('retried')),
              },
            ]}
            menu={[]}
          />
        ) : null,
      isFixed: true,
      align: 'end',
      isSticky: 'end',
      card: 'actions',
    },
  ]
}

function useErrorColumn(): Column<OutboxEntry> {
  const { t } = useTranslation('deliveries')
  const errorOf = useDeliveryError()
  return {
    id: 'error',
    header: t('column.error'),
    cell: ({ error }) => <CutText text={errorOf(error)} width="24rem" />,
    text: ({ error }) => errorOf(error),
    card: 'line',
  }
}
