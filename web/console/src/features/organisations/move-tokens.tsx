import { Skeleton, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { organisation, type MovableToken, type Project } from '@tollgate/contracts/resources/organisations'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { SwitchField } from '../../ui/form/labelled-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { useChange } from './api.ts'

const movableTokens = queryOptions({
  queryKey: keyOf(organisation.movableTokens),
  queryFn: ({ signal }) => call(organisation.movableTokens, { signal }),
  meta: { inline: true },
})

type MoveProps = { readonly project: Project; readonly onClose: () => void }

/** Moves tokens of the member's own account into a project. */
export function MoveTokens({ project, onClose }: MoveProps): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(movableTokens)
  if (data !== undefined && data.length > 0) return <MoveForm project={project} tokens={data} onClose={onClose} />
  return (
    <DetailDrawer title={t('move.title', { name: project.name })} onClose={onClose}>
      {error !== null ? (
        <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton h="20" aria-busy />
      ) : (
        <EmptyState title={t('move.none')} help={t('move.none-help')} />
      )}
    </DetailDrawer>
  )
}

function MoveForm({ project: { id, name }, tokens, onClose }: MoveProps & { readonly tokens: readonly MovableToken[] }): ReactNode {
  const { t } = useTranslation('organisations')
  const moving = useChange((ids: number[]) => call(organisation.moveTokens, { params: { id }, body: { ids } }))
  const form = useResourceForm<{ readonly ids: readonly number[] }>({
    initial: { ids: [] },
    isNew: false,
    problemsOf: ({ ids }) => (ids.length === 0 ? [{ field: 'ids', message: t('move.error') }] : []),
    save: async ({ ids }) => {
      const { moved } = await moving.mutateAsync([...ids])
      toast.success(t('move.done', { count: moved }))
    },
    onSaved: onClose,
  })
  const { ids } = form.values
  return (
    <FormDrawer title={t('move.title', { name })} form={form} onClose={onClose}>
      <Text textStyle="sm" color="text.muted">
        {t('move.help')}
      </Text>
      {tokens.map((token) => (
        <SwitchField
          key={token.id}
          label={token.name}
          value={ids.includes(token.id)}
          onValue={(isOn) => form.set({ ids: isOn ? [...ids, token.id] : ids.filter((one) => one !== token.id) })}
        />
      ))}
      {form.field('ids').error === undefined ? null : (
        <Text role="alert" textStyle="sm" color="danger.fg">
          {form.field('ids').error}
        </Text>
      )}
    </FormDrawer>
  )
}
