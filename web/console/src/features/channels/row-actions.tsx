import { chakra } from '@chakra-ui/react'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { Ban, CircleCheck, Copy, FlaskConical, ListChecks, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { isEnabled } from './view.ts'

export type ChannelRowActions = {
  readonly onEdit: (channel: Channel) => void
  readonly onTest: (channel: Channel) => void
  readonly onPickTest: (channel: Channel) => void
  readonly onToggle: (channel: Channel) => void
  readonly onCopy: (channel: Channel) => void
  readonly onRemove: (channel: Channel) => void
  readonly onNumber: (channel: Channel, change: { readonly priority: number } | { readonly weight: number }) => void
  readonly onEditTag: (tag: string) => void
  readonly onToggleTag: (tag: string, isOn: boolean) => void
  readonly onTagNumber: (tag: string, change: { readonly priority: number } | { readonly weight: number }) => void
  readonly onExpandTag: (tag: string) => void
  /** The channel whose test is running. */
  readonly testing: number | undefined
}

export function ChannelActions({ channel, actions }: { channel: Channel; actions: ChannelRowActions }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  return (
    <chakra.div display="inline-flex" gap="0.5" justifyContent="flex-end">
      <IconButton size="sm" label={t('action.test')} loading={actions.testing === channel.id} onClick={() => actions.onTest(channel)}>
        <FlaskConical />
      </IconButton>
      <IconButton size="sm" label={t('display:action.edit')} onClick={() => actions.onEdit(channel)}>
        <Pencil />
      </IconButton>
      <RowMenu
        actions={[
          { id: 'pick', label: t('action.test-model'), icon: <ListChecks />, run: () => actions.onPickTest(channel) },
          isEnabled(channel)
            ? { id: 'disable', label: t('display:action.disable'), icon: <Ban />, run: () => actions.onToggle(channel) }
            : { id: 'enable', label: t('display:action.enable'), icon: <CircleCheck />, run: () => actions.onToggle(channel) },
          { id: 'copy', label: t('action.copy'), icon: <Copy />, run: () => actions.onCopy(channel) },
          { id: 'delete', label: t('display:action.delete'), icon: <Trash2 />, isDangerous: true, run: () => actions.onRemove(channel) },
        ]}
      />
    </chakra.div>
  )
}

export function TagActions({ tag, actions }: { tag: string; actions: ChannelRowActions }): ReactNode {
  const { t } = useTranslation('channels')
  if (tag === '') return null
  return (
    <chakra.div display="inline-flex" gap="0.5" justifyContent="flex-end">
      <IconButton size="sm" label={t('action.edit-tag')} onClick={() => actions.onEditTag(tag)}>
        <Pencil />
      </IconButton>
      <RowMenu
        actions={[
          { id: 'enable', label: t('action.enable-tag'), icon: <CircleCheck />, run: () => actions.onToggleTag(tag, true) },
          { id: 'disable', label: t('action.disable-tag'), icon: <Ban />, run: () => actions.onToggleTag(tag, false) },
        ]}
      />
    </chakra.div>
  )
}
