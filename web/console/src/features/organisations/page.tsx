import { Button, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisation, type Organisation } from '@tollgate/contracts/resources/organisations'
import { Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { chooseAccount, useNeededProvider } from '../../lib/organisations.ts'
import { may } from '../../lib/rights.ts'
import { failureText, report } from '../../lib/report.ts'
import { session, useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Budgets } from '../../ui/budgets/lazy-budgets.tsx'
import { ManagedRecordNote } from '../../ui/display/managed-note.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { chosenOrganisation, useChange } from './api.ts'
import { InvitationsPanel } from './invitations.tsx'
import { AccessPanels, ProviderNeeded } from './lazy-access.tsx'
import { MembersPanel } from './members.tsx'
import { nameProblems } from './names.ts'
import { ProjectsPanel } from './projects.tsx'
import { SpendingPanel } from './spending.tsx'

type PageProps = {
  readonly guarded: Guarded
  /** The audit log of the organisation. */
  readonly audit: ReactNode
}

/** `/organisation`: the chosen one. */
export function OrganisationPage({ guarded, audit }: PageProps): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(chosenOrganisation)
  const user = useUser()
  const [isRenaming, setRenaming] = useState(false)
  // An owner whose session the organisation does not accept can change that rule only.
  const needed = useNeededProvider()
  const isOwner = user?.member?.role === 'owner'
  return (
    <Page
      title={data?.name ?? user?.display_name ?? t('title')}
      action={
        may(user, 'organisation.write') && data !== undefined && needed === undefined ? (
          <Button variant="outline" onClick={() => setRenaming(true)}>
            <Pencil aria-hidden />
            {t('overview.rename')}
          </Button>
        ) : undefined
      }
    >
      {needed === undefined ? null : <ProviderNeeded provider={needed} isOwner={isOwner} />}
      {needed === undefined && error !== null && data === undefined ? (
        <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="4">
          {needed === undefined ? <Parts guarded={guarded} audit={audit} data={data} /> : null}
          {needed !== undefined && isOwner ? <AccessPanels guarded={guarded} isOnlyRule /> : null}
        </Stack>
      )}
      {isRenaming && data !== undefined ? <RenameDrawer organisation={data} onClose={() => setRenaming(false)} /> : null}
    </Page>
  )
}

/** Everything of the organisation that the reader may see. */
function Parts({ guarded, audit, data }: PageProps & { readonly data: Organisation | undefined }): ReactNode {
  const { t } = useTranslation('organisations')
  const user = useUser()
  return (
    <>
      {data === undefined ? null : <ManagedRecordNote record={data} help={t('managed-help')} />}
      <Overview organisation={data} />
      <ProjectsPanel />
      <SpendingPanel />
      {user === undefined ? null : (
        <Panel title={t('budgets.title')} help={t('budgets.help')}>
          <Budgets owner={{ user_id: user.id }} canAdd={may(user, 'budgets.write')} />
        </Panel>
      )}
      <MembersPanel name={data?.name ?? ''} guarded={guarded} />
      {may(user, 'members.write') ? <InvitationsPanel /> : null}
      {may(user, 'identity.read') ? <AccessPanels guarded={guarded} /> : null}
      {may(user, 'audit.read') ? audit : null}
      {may(user, 'organisation.own') && data !== undefined ? <Deletion organisation={data} guarded={guarded} /> : null}
    </>
  )
}

function Overview({ organisation: shown }: { readonly organisation: Organisation | undefined }): ReactNode {
  const { t } = useTranslation('organisations')
  const isPending = shown === undefined
  return (
    <StatRow>
      <StatCard label={t('overview.balance')} isPending={isPending}>
        <QuotaText quota={shown?.quota ?? 0} />
      </StatCard>
      <StatCard label={t('overview.used')} isPending={isPending}>
        <QuotaText quota={shown?.used_quota ?? 0} />
      </StatCard>
      <StatCard label={t('overview.members')} isPending={isPending}>
        {shown?.members}
      </StatCard>
      <StatCard label={t('overview.projects')} isPending={isPending}>
        {shown?.projects}
      </StatCard>
      <StatCard label={t('overview.role')} isPending={isPending} {...(shown === undefined ? {} : { help: t(`roles-help.${shown.role}`) })}>
        {shown === undefined ? null : t(`roles.${shown.role}`)}
      </StatCard>
    </StatRow>
  )
}

type DrawerProps = { readonly organisation: Organisation; readonly onClose: () => void }

function RenameDrawer({ organisation: shown, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('organisations')
  const renaming = useChange((name: string) => call(organisation.rename, { body: { name } }))
  const form = useResourceForm({
    initial: { name: shown.name },
    isNew: false,
    problemsOf: nameProblems(t('error-name')),
    save: async ({ name }) => {
      await renaming.mutateAsync(name.trim())
      const user = session.user()
      if (user !== undefined) session.start({ ...user, username: name.trim(), display_name: name.trim() })
      toast.success(t('overview.renamed'))
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('overview.rename')} form={form} onClose={onClose}>
      <ManagedRecordNote record={shown} help={t('managed-help')} />
      <TextField label={t('name')} help={t('name-help')} required autoFocus maxLength={40} {...form.field('name')} />
    </FormDrawer>
  )
}

type DeletionProps = { readonly organisation: Organisation; readonly guarded: Guarded }

function Deletion({ organisation: { name, is_managed }, guarded }: DeletionProps): ReactNode {
  const { t } = useTranslation('organisations')
  const help = is_managed === true ? `${t('danger.help')} ${t('managed-remove')}` : t('danger.help')
  const { ask, dialog } = useConfirm()
  const remove = async (): Promise<void> => {
    await guarded(() => call(organisation.remove, { body: { name } }))
    toast.success(t('danger.done'))
    chooseAccount(undefined, '/organisations')
  }
  return (
    <Panel
      title={t('danger.title')}
      action={
        <Button
          size="sm"
          variant="outline"
          colorPalette="danger"
          onClick={() =>
            ask({
              title: t('danger.confirm-title', { name }),
              help,
              confirm: t('danger.button'),
              typed: name,
              // Not awaited: a proof may be asked for after this question.
              run: () => void remove().catch(report),
            })
          }
        >
          {t('danger.button')}
        </Button>
      }
    >
      <Text textStyle="sm" color="text.muted">
        {help}
      </Text>
      {dialog}
    </Panel>
  )
}
