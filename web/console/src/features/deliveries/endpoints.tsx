import { Button, Flex, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { WebhookEndpoint } from '@tollgate/contracts/resources/webhook-endpoints'
import { timeText } from '@tollgate/domain/display/time-text'
import { History, KeyRound, Pencil, Plus, Trash2, Webhook } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { failureText, report } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { EndpointDeliveries } from './endpoint-deliveries.tsx'
import { EndpointDrawer } from './endpoint-drawer.tsx'
import { endpointList, useRemoveEndpoint, useRotateSecret } from './endpoints-api.ts'

type EndpointsProps = { readonly guarded: Guarded; readonly onBack: () => void }
/** A form without an endpoint adds one. */
type Opened =
  | { readonly kind: 'form'; readonly endpoint?: WebhookEndpoint }
  | { readonly kind: 'deliveries'; readonly endpoint: WebhookEndpoint }

/** The webhook endpoints of the installation: their events, secrets and last deliveries. */
export function Endpoints({ guarded, onBack }: EndpointsProps): ReactNode {
  const { t } = useTranslation('endpoints')
  const { data, error, refetch } = useQuery(endpointList)
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const close = (): void => setOpened(undefined)
  const onSecret = (made: { readonly secret: string }): void => setSecret(made.secret)
  const add = (
    <Button colorPalette="accent" onClick={() => setOpened({ kind: 'form' })}>
      <Plus aria-hidden />
      {t('add')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      action={
        <>
          <Button variant="outline" onClick={onBack}>
            {t('back')}
          </Button>
          {add}
        </>
      }
    >
      {error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />}
      {data?.length === 0 ? <EmptyState title={t('empty-title')} help={t('empty-help')} icon={<Webhook />} /> : null}
      {data === undefined || data.length === 0 ? null : (
        <Panel title={t('listed', { count: data.length })} isFlush>
          {data.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} guarded={guarded} onOpen={setOpened} onSecret={onSecret} />
          ))}
        </Panel>
      )}
      {opened?.kind === 'form' ? <EndpointDrawer endpoint={opened.endpoint} guarded={guarded} onSecret={onSecret} onClose={close} /> : null}
      {opened?.kind === 'deliveries' ? <EndpointDeliveries endpoint={opened.endpoint} onClose={close} /> : null}
      {secret === undefined ? null : (
        <SecretDialog title={t('secret')} secret={secret} help={t('secret-help')} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  )
}

type RowProps = {
  readonly endpoint: WebhookEndpoint
  readonly guarded: Guarded
  readonly onOpen: (opened: Opened) => void
  readonly onSecret: (made: { readonly secret: string }) => void
}

function EndpointRow({ endpoint, guarded, onOpen, onSecret }: RowProps): ReactNode {
  const { t } = useTranslation('endpoints')
  const { id, name, url, events, enabled } = endpoint
  const { ask, dialog } = useConfirm()
  const rotating = useRotateSecret(guarded)
  const removing = useRemoveEndpoint()
  const askRotation = (): void =>
    ask({
      title: t('rotate-title', { name }),
      help: t('rotate-help'),
      confirm: t('rotate'),
      // Not awaited: a proof may be asked for after this question.
      run: () => void rotating.mutateAsync(id).then(onSecret).catch(report),
    })
  const askRemoval = (): void =>
    ask({
      title: t('remove-title', { name }),
      help: t('remove-help'),
      confirm: t('remove'),
      run: () => saying(removing.mutateAsync(id), () => t('removed')),
    })
  const action = (label: string, icon: ReactNode, run: () => void): ReactNode => (
    <IconButton size="sm" variant="ghost" label={`${label} · ${name}`} onClick={run}>
      {icon}
    </IconButton>
  )
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          {name}
          {enabled ? null : <ToneTag tone="grey">{t('disabled')}</ToneTag>}
        </Flex>
      }
      action={
        <Flex gap="1">
          {action(t('deliveries'), <History />, () => onOpen({ kind: 'deliveries', endpoint }))}
          {action(t('edit'), <Pencil />, () => onOpen({ kind: 'form', endpoint }))}
          {action(t('rotate'), <KeyRound />, askRotation)}
          {action(t('remove'), <Trash2 />, askRemoval)}
        </Flex>
      }
    >
      {url}
      <Text textStyle="xs">{events.map((event) => t(`event.${event}`)).join(' · ')}</Text>
      <Queue endpoint={endpoint} />
      {dialog}
    </PanelRow>
  )
}

function Queue({ endpoint: { waiting, dropped, old_secret_until } }: Pick<RowProps, 'endpoint'>): ReactNode {
  const { t } = useTranslation('endpoints')
  const [openedAt] = useState(() => Date.now())
  const facts = [
    ...(waiting === 0 ? [] : [t('waiting', { count: waiting })]),
    ...(dropped === 0 ? [] : [t('dropped', { count: dropped })]),
    ...(old_secret_until * 1000 > openedAt ? [t('old-secret', { time: timeText(old_secret_until) })] : []),
  ]
  return facts.length === 0 ? null : <Text textStyle="xs">{facts.join(' · ')}</Text>
}
