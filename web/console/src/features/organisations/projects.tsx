import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisation, type Project } from '@tollgate/contracts/resources/organisations'
import { FolderKanban, FolderInput, Pencil, Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { ownProjects } from '../../lib/organisations.ts'
import { may } from '../../lib/rights.ts'
import { failureText } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Budgets } from '../../ui/budgets/lazy-budgets.tsx'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ManagedMark, ManagedRecordNote } from '../../ui/display/managed-note.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { FormDrawer, FormSection } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { useChange } from './api.ts'
import { nameProblems } from './names.ts'

const MoveTokens = lazy(async () => ({ default: (await import('./move-tokens.tsx')).MoveTokens }))

export function ProjectsPanel(): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(ownProjects)
  const user = useUser()
  const mayWrite = may(user, 'projects.write')
  const [target, setTarget] = useState<Project | undefined>(undefined)
  const [open, setOpen] = useState<number | 'new' | undefined>(undefined)
  const shown = data?.find(({ id }) => id === open)
  const close = (): void => setOpen(undefined)
  return (
    <Panel
      title={t('projects.title')}
      help={t('projects.help')}
      isFlush
      action={
        mayWrite ? (
          <Button size="sm" variant="outline" onClick={() => setOpen('new')}>
            <Plus aria-hidden />
            {t('projects.create')}
          </Button>
        ) : undefined
      }
    >
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <EmptyState icon={<FolderKanban />} title={t('projects.none')} help={t('projects.none-help')} /> : null}
      {data?.map((project) => (
        <PanelRow
          key={project.id}
          title={
            <Flex gap="2" align="center" wrap="wrap">
              {project.name}
              <ManagedMark record={project} />
            </Flex>
          }
          action={
            <Flex align="center" gap="3">
              <QuotaText quota={project.used_quota} />
              {may(user, 'tokens.write') ? (
                <IconButton size="sm" variant="ghost" label={t('move.title', { name: project.name })} onClick={() => setTarget(project)}>
                  <FolderInput />
                </IconButton>
              ) : null}
              <IconButton size="sm" variant="ghost" label={t('projects.edit', { name: project.name })} onClick={() => setOpen(project.id)}>
                <Pencil />
              </IconButton>
            </Flex>
          }
        >
          {t('projects.tokens', { count: project.tokens })}
        </PanelRow>
      ))}
      {target === undefined ? null : (
        <Suspense>
          <MoveTokens project={target} onClose={() => setTarget(undefined)} />
        </Suspense>
      )}
      {open === 'new' ? <NewProject onClose={close} /> : null}
      {shown === undefined ? null : mayWrite ? (
        <EditProject key={shown.id} project={shown} onClose={close} />
      ) : (
        <DetailDrawer title={shown.name} onClose={close}>
          <ProjectBudgets project={shown} />
        </DetailDrawer>
      )}
    </Panel>
  )
}

type DrawerProps = { readonly onClose: () => void }

function NewProject({ onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('organisations')
  const creating = useChange((name: string) => call(organisation.createProject, { body: { name } }))
  const form = useResourceForm({
    initial: { name: '' },
    isNew: true,
    problemsOf: nameProblems(t('error-name')),
    save: async ({ name }) => {
      await creating.mutateAsync(name.trim())
      toast.success(t('projects.created'))
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('projects.create')} form={form} onClose={onClose}>
      <TextField label={t('name')} required autoFocus maxLength={40} {...form.field('name')} />
    </FormDrawer>
  )
}

function EditProject({ project, onClose }: DrawerProps & { readonly project: Project }): ReactNode {
  const { t } = useTranslation('organisations')
  const { id, name, tokens, is_managed } = project
  const renaming = useChange((wanted: string) => call(organisation.renameProject, { params: { id }, body: { name: wanted } }))
  const removing = useChange(() => call(organisation.removeProject, { params: { id } }))
  const { ask, dialog } = useConfirm()
  const form = useResourceForm({
    initial: { name },
    isNew: false,
    problemsOf: nameProblems(t('error-name')),
    save: async (values) => {
      await renaming.mutateAsync(values.name.trim())
      toast.success(t('projects.renamed'))
    },
    onSaved: onClose,
  })
  const remove = (): void =>
    ask({
      title: t('projects.remove-title', { name }),
      help: is_managed === true ? `${t('projects.remove-help')} ${t('managed-remove')}` : t('projects.remove-help'),
      confirm: t('projects.remove'),
      run: async () => {
        await saying(removing.mutateAsync(undefined), () => t('projects.removed'))
        onClose()
      },
    })
  return (
    <FormDrawer title={t('projects.edit', { name })} form={form} onClose={onClose}>
      <ManagedRecordNote record={project} />
      <TextField label={t('name')} required autoFocus maxLength={40} {...form.field('name')} />
      <FormSection title={t('projects.budgets')}>
        <ProjectBudgets project={project} />
      </FormSection>
      <Stack gap="1" align="flex-start">
        <Button type="button" size="sm" variant="outline" colorPalette="danger" disabled={tokens > 0} onClick={remove}>
          {t('projects.remove')}
        </Button>
        {tokens > 0 ? (
          <Text textStyle="xs" color="text.muted">
            {t('projects.remove-used')}
          </Text>
        ) : null}
      </Stack>
      {dialog}
    </FormDrawer>
  )
}

function ProjectBudgets({ project }: { readonly project: Project }): ReactNode {
  return <Budgets owner={{ project_id: project.id }} canAdd={may(useUser(), 'budgets.write')} />
}
