import { Badge, Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Membership, OwnInvitation } from '@tollgate/contracts/resources/organisations'
import { timeText } from '@tollgate/domain/display/time-text'
import { Building2, Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { chooseAccount, ownOrganisations, personOf } from '../../lib/organisations.ts'
import { failureText } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { isAdmin, isRoot, useUser } from '../../lib/session.ts'
import { shownName } from '../../ui/display/avatar.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { decline, found, join, offeredBy, useOwnChange } from './api.ts'
import { ConvertPanel } from './convert.tsx'
import { nameProblems } from './names.ts'

const DomainsPanel = lazy(async () => ({ default: (await import('./domains.tsx')).DomainsPanel }))

type PageProps = {
  /** The code of the invitation link that was opened. */
  readonly code: string | undefined
  readonly onCodeUsed: () => void
  readonly guarded: Guarded
}

/** `/organisations`: those of the person, and the invitations. */
export function OwnOrganisationsPage({ code, onCodeUsed, guarded }: PageProps): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(ownOrganisations)
  const [isFounding, setFounding] = useState(false)
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      action={
        data?.may_found === true ? (
          <Button colorPalette="accent" onClick={() => setFounding(true)}>
            <Plus aria-hidden />
            {t('found')}
          </Button>
        ) : undefined
      }
    >
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : (
        <Stack gap="4" maxW="4xl">
          {data.invitations.length === 0 ? null : <Invitations invitations={data.invitations} />}
          <Own items={data.items} mayFound={data.may_found} />
          <Proven />
          {data.may_found ? <Convertible guarded={guarded} /> : null}
        </Stack>
      )}
      {isFounding ? <FoundDrawer onClose={() => setFounding(false)} /> : null}
      {code === undefined ? null : <LinkDialog code={code} onClose={onCodeUsed} />}
    </Page>
  )
}

function Own({ items, mayFound }: { readonly items: readonly Membership[]; readonly mayFound: boolean }): ReactNode {
  const { t } = useTranslation('organisations')
  const user = useUser()
  return (
    <Panel title={t('own')} isFlush>
      {items.length === 0 ? (
        <EmptyState icon={<Building2 />} title={t('own-none')} help={t(mayFound ? 'own-none-help' : 'own-none-closed')} />
      ) : null}
      {items.map((item) => (
        <PanelRow
          key={item.id}
          title={item.name}
          action={
            user?.id === item.id ? (
              <Badge colorPalette="accent">{t('current')}</Badge>
            ) : (
              <Button size="sm" variant="outline" onClick={() => chooseAccount(item, '/organisation')}>
                {t('switch')}
              </Button>
            )
          }
        >
          {t(`roles.${item.role}`)}
        </PanelRow>
      ))}
    </Panel>
  )
}

function Invitations({ invitations }: { readonly invitations: readonly OwnInvitation[] }): ReactNode {
  const { t } = useTranslation('organisations')
  const joining = useOwnChange(join)
  const declining = useOwnChange(decline)
  return (
    <Panel title={t('invitations')} isFlush>
      {invitations.map(({ id, organisation, role, invited_by, expires_at }) => (
        <PanelRow
          key={id}
          title={organisation}
          action={
            <Flex gap="2">
              <Button
                size="sm"
                variant="outline"
                loading={declining.isPending && declining.variables === id}
                onClick={() => void saying(declining.mutateAsync(id), () => t('declined'))}
              >
                {t('decline')}
              </Button>
              <Button
                size="sm"
                colorPalette="accent"
                loading={joining.isPending && joining.variables.id === id}
                onClick={() => void saying(joining.mutateAsync({ id }), ({ name }) => t('joined', { name }))}
              >
                {t('accept')}
              </Button>
            </Flex>
          }
        >
          {t('invited-by', { name: invited_by, role: t(`roles.${role}`), time: timeText(expires_at) })}
        </PanelRow>
      ))}
    </Panel>
  )
}

function FoundDrawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('organisations')
  const founding = useOwnChange(found)
  const form = useResourceForm({
    initial: { name: '' },
    isNew: true,
    problemsOf: nameProblems(t('error-name')),
    save: async ({ name }) => {
      const { id } = await founding.mutateAsync({ name: name.trim() })
      chooseAccount({ id, name: name.trim(), role: 'owner', group: 'default' }, '/organisation')
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('found')} form={form} onClose={onClose}>
      <TextField label={t('name')} help={t('name-help')} required autoFocus maxLength={40} {...form.field('name')} />
    </FormDrawer>
  )
}

/** Root says which domains are an organisation's. */
function Proven(): ReactNode {
  const user = useUser()
  if (!isRoot(user) || user?.member !== undefined) return null
  return (
    <Suspense fallback={<Skeleton height="24" />}>
      <DomainsPanel />
    </Suspense>
  )
}

/** An administrator's account runs the installation and stays a person's. */
function Convertible({ guarded }: { readonly guarded: Guarded }): ReactNode {
  const user = useUser()
  if (user === undefined || isAdmin(personOf(user)) || user.member !== undefined) return null
  return <ConvertPanel guarded={guarded} />
}

/** Asks before an invitation by link is accepted: it says to whom and with which account. */
function LinkDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error } = useQuery(offeredBy(code))
  const joining = useOwnChange(join)
  const user = useUser()
  const accept = async (): Promise<void> => {
    await saying(joining.mutateAsync({ code }), ({ name }) => t('joined', { name }))
    onClose()
  }
  if (user === undefined || (data === undefined && error === null)) return null
  return (
    <FormDialog
      title={t('invite.link-title', { name: data?.organisation ?? '?' })}
      submit={t('invite.link-join')}
      isBusy={joining.isPending}
      isDisabled={data === undefined}
      onSubmit={() => void accept()}
      onClose={onClose}
    >
      {error === null ? null : (
        <Text role="alert" color="danger.fg">
          {failureText(error)}
        </Text>
      )}
      {data === undefined ? null : (
        <Text>{t('invite.link-text', { inviter: data.invited_by, role: t(`roles.${data.role}`), user: shownName(personOf(user)) })}</Text>
      )}
    </FormDialog>
  )
}
