import { Alert, Button, List, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { channels } from '@tollgate/contracts/resources/channels'
import { options } from '@tollgate/contracts/resources/options'
import { whatIf, type WhatIfCandidate, type WhatIfPresent } from '@tollgate/contracts/resources/what-if'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../lib/query-client.ts'
import { report } from '../../lib/report.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { changesOf, type Change } from './changes.ts'

type ApplyProps = { readonly candidate: WhatIfCandidate; readonly present: WhatIfPresent }

/** Puts a configuration into effect, after a question that lists what changes. */
export function ApplyButton({ candidate, present }: ApplyProps): ReactNode {
  const { t } = useTranslation('what-if')
  const client = useQueryClient()
  const user = useUser()
  const { ask, dialog } = useConfirm()
  const all = changesOf(candidate, present)
  // Options are changed by root alone.
  const list = isRoot(user) ? all : all.filter(({ kind }) => kind === 'channel')
  const run = async (): Promise<void> => {
    try {
      // It needs the rules of options, which nothing else of this page does.
      const { applyChanges } = await import('./apply-changes.ts')
      await applyChanges(candidate, list)
      toast.success(t('applied', { count: list.length }))
    } catch (error) {
      report(error)
    } finally {
      await Promise.all([refresh(client, whatIf.present), refresh(client, channels.list), refresh(client, options.list)])
    }
  }
  const question = (): void =>
    ask({
      title: t('apply-title', { count: list.length }),
      help: <ChangeList list={list} left_out={all.length - list.length} />,
      confirm: t('apply'),
      isDangerous: false,
      run,
    })
  return (
    <>
      <Button
        variant="outline"
        disabled={list.length === 0}
        data-hint={list.length === 0 ? t('nothing-to-apply') : undefined}
        onClick={question}
      >
        {t('apply-this')}
      </Button>
      {dialog}
    </>
  )
}

function ChangeList({ list, left_out }: { readonly list: readonly Change[]; readonly left_out: number }): ReactNode {
  const { t } = useTranslation('what-if')
  return (
    <Stack gap="3">
      <Text textStyle="sm">{t('apply-help')}</Text>
      <List.Root ps="4" gap="1" textStyle="sm" maxH="20rem" overflowY="auto">
        {list.map((change) => (
          <ChangeItem key={`${change.kind} ${change.name} ${'field' in change ? `${change.id} ${change.field}` : ''}`} change={change} />
        ))}
      </List.Root>
      {left_out === 0 ? null : (
        <Alert.Root status="warning">
          <Alert.Indicator />
          <Alert.Content>
            <Alert.Description>{t('root-only', { count: left_out })}</Alert.Description>
          </Alert.Content>
        </Alert.Root>
      )}
    </Stack>
  )
}

function ChangeItem({ change }: { readonly change: Change }): ReactNode {
  const { t } = useTranslation('what-if')
  const none = t('nothing')
  if (change.kind === 'price') return <List.Item>{t('change.price', { name: change.name, after: change.after })}</List.Item>
  const { name, before, after } = change
  if (change.kind !== 'channel') {
    const label = change.kind === 'strategy' && name === '*' ? t('every-group') : name
    return <List.Item>{t(`change.${change.kind}`, { name: label, before: before || none, after: after || none })}</List.Item>
  }
  const label = `#${change.id} ${name}`
  if (change.field === 'is_enabled') return <List.Item>{t(after === 'true' ? 'change.on' : 'change.off', { name: label })}</List.Item>
  return <List.Item>{t('change.channel', { name: label, field: t(`field.${change.field}`), before, after })}</List.Item>
}
