import { chakra } from '@chakra-ui/react'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { Ban, CircleCheck, Copy, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { fullKey, isEnabled } from './view.ts'

export type TokenRowActions = {
  readonly onEdit: (token: Token) => void
  readonly onToggle: (token: Token) => void
  readonly onRemove: (token: Token) => void
}

export function TokenActions({ token, actions }: { token: Token; actions: TokenRowActions }): ReactNode {
  const { t } = useTranslation(['tokens', 'display'])
  return (
    <chakra.div display="inline-flex" gap="0.5" justifyContent="flex-end">
      <IconButton size="sm" label={t('action.copy-key')} onClick={() => void copyText(fullKey(token))}>
        <Copy />
      </IconButton>
      <IconButton size="sm" label={t('display:action.edit')} onClick={() => actions.onEdit(token)}>
        <Pencil />
      </IconButton>
      <RowMenu
        actions={[
          isEnabled(token)
            ? { id: 'disable', label: t('display:action.disable'), icon: <Ban />, run: () => actions.onToggle(token) }
            : { id: 'enable', label: t('display:action.enable'), icon: <CircleCheck />, run: () => actions.onToggle(token) },
          { id: 'delete', label: t('display:action.delete'), icon: <Trash2 />, isDangerous: true, run: () => actions.onRemove(token) },
        ]}
      />
    </chakra.div>
  )
}
