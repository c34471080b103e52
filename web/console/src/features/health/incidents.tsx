import { Button, chakra, Flex, Link, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import type { IncidentState, StatusIncident, StatusIncidents } from '@tollgate/contracts/resources/status-page'
import { timeText } from '@tollgate/domain/display/time-text'
import { ExternalLink, MessageSquarePlus, Pencil, Plus, Radio, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { IncidentDrawer, NewIncidentDrawer, UpdateDrawer } from './incident-forms.tsx'
import { incidentList, useRemoveIncident } from './incidents-api.ts'

type Opened = { readonly kind: 'new' } | { readonly kind: 'edit' | 'update'; readonly incident: StatusIncident }

/** Incidents of the public status page: proposed by channel health or written here, published, updated, resolved. */
export function Incidents({ onBack }: { readonly onBack: () => void }): ReactNode {
  const { t } = useTranslation('health')
  const { data, error, refetch } = useQuery(incidentList)
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  return (
    <Page
      title={t('incident.title')}
      lead={t('incident.lead')}
      action={
        <>
          <Button variant="outline" onClick={onBack}>
            {t('incident.back')}
          </Button>
          <Button colorPalette="accent" onClick={() => setOpened({ kind: 'new' })}>
            <Plus aria-hidden />
            {t('incident.add')}
          </Button>
        </>
      }
    >
      {error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton h="60" aria-busy /> : null}
      {data === undefined ? null : <Listed data={data} onOpen={setOpened} />}
      {data === undefined || opened === undefined ? null : (
        <OpenedDrawer opened={opened} groups={data.groups} onClose={() => setOpened(undefined)} />
      )}
    </Page>
  )
}

type DrawerProps = { readonly opened: Opened; readonly groups: readonly string[]; readonly onClose: () => void }

function OpenedDrawer({ opened, groups, onClose }: DrawerProps): ReactNode {
  if (opened.kind === 'new') return <NewIncidentDrawer groups={groups} onClose={onClose} />
  const { incident } = opened
  if (opened.kind === 'update') return <UpdateDrawer incident={incident} onClose={onClose} />
  return <IncidentDrawer incident={incident} groups={groups} onClose={onClose} />
}

type ListedProps = { readonly data: StatusIncidents; readonly onOpen: (opened: Opened) => void }

function Listed({ data: { is_on, incidents }, onOpen }: ListedProps): ReactNode {
  const { t } = useTranslation('health')
  return (
    <>
      <PageSwitch isOn={is_on} />
      {incidents.length === 0 ? (
        <EmptyState title={t('incident.empty-title')} help={t('incident.empty-help')} icon={<Radio />} />
      ) : (
        <Panel title={t('incident.listed', { count: incidents.length })} isFlush>
          {incidents.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} onOpen={onOpen} />
          ))}
        </Panel>
      )}
    </>
  )
}

/** Says if the page is on, with links to it and to its settings. */
function PageSwitch({ isOn }: { readonly isOn: boolean }): ReactNode {
  const { t } = useTranslation('health')
  const canSet = isRoot(useUser())
  return (
    <Panel title={t('incident.page')} isFlush>
      <PanelRow
        title={<ToneTag tone={isOn ? 'green' : 'grey'}>{t(isOn ? 'incident.on' : 'incident.off')}</ToneTag>}
        action={
          <Flex gap="4">
            {isOn ? (
              <Link href="/status" target="_blank" rel="noreferrer">
                /status
                <ExternalLink size={14} aria-hidden />
              </Link>
            ) : null}
            {canSet ? (
              <Link asChild>
                <RouterLink to="/setting" search={{ keyword: 'StatusPage' }}>
                  {t('incident.settings')}
                </RouterLink>
              </Link>
            ) : null}
          </Flex>
        }
      >
        {t(isOn ? 'incident.on-help' : 'incident.off-help')}
      </PanelRow>
    </Panel>
  )
}

const TONES = { investigating: 'red', identified: 'orange', monitoring: 'blue', resolved: 'green' } as const satisfies Record<
  IncidentState,
  string
>

type RowProps = { readonly incident: StatusIncident; readonly onOpen: (opened: Opened) => void }

function IncidentRow({ incident, onOpen }: RowProps): ReactNode {
  const { t } = useTranslation('health')
  const { title, state, groups, is_public, cause, updates } = incident
  const name = title === '' ? t('incident.proposed') : title
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          {name}
          <ToneTag tone={TONES[state]}>{t(`incident.states.${state}`)}</ToneTag>
          {is_public ? null : <ToneTag tone="grey">{t('incident.hidden')}</ToneTag>}
        </Flex>
      }
      action={<RowActions incident={incident} name={name} onOpen={onOpen} />}
    >
      <Times incident={incident} />
      {groups.length === 0 ? null : <Text textStyle="xs">{t('incident.affects', { groups: groups.join(' · ') })}</Text>}
      {cause === '' ? null : (
        <Text textStyle="xs" whiteSpace="pre-line">
          {t('incident.cause', { cause })}
        </Text>
      )}
      {updates.length === 0 ? null : (
        <chakra.ol mt="2" display="grid" gap="1.5" listStyleType="none">
          {updates.map((update) => (
            <chakra.li key={update.id} whiteSpace="pre-line">
              <chakra.span color="text.strong">{t(`incident.states.${update.state}`)}</chakra.span> · {timeText(update.created_at)}
              <chakra.div>{update.text}</chakra.div>
            </chakra.li>
          ))}
        </chakra.ol>
      )}
    </PanelRow>
  )
}

function Times({ incident: { started_at, resolved_at } }: Pick<RowProps, 'incident'>): ReactNode {
  const { t } = useTranslation('health')
  const from = timeText(started_at)
  return <Text textStyle="xs">{resolved_at === 0 ? t('incident.since', { from }) : `${from} – ${timeText(resolved_at)}`}</Text>
}

function RowActions({ incident, name, onOpen }: RowProps & { readonly name: string }): ReactNode {
  const { t } = useTranslation('health')
  const { ask, dialog } = useConfirm()
  const removing = useRemoveIncident()
  const askRemoval = (): void =>
    ask({
      title: t('incident.remove-title', { title: name }),
      help: t('incident.remove-help'),
      confirm: t('incident.remove'),
      run: () => saying(removing.mutateAsync(incident.id), () => t('incident.removed')),
    })
  const action = (label: string, icon: ReactNode, run: () => void): ReactNode => (
    <IconButton size="sm" variant="ghost" label={`${label} · ${name}`} onClick={run}>
      {icon}
    </IconButton>
  )
  return (
    <Flex gap="1">
      {action(t('incident.update'), <MessageSquarePlus />, () => onOpen({ kind: 'update', incident }))}
      {action(t('incident.edit'), <Pencil />, () => onOpen({ kind: 'edit', incident }))}
      {action(t('incident.remove'), <Trash2 />, askRemoval)}
      {dialog}
    </Flex>
  )
}
