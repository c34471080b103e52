import { useQueryClient } from '@tanstack/react-query'
import type { User } from '@tollgate/contracts/resources/users'
import { ArrowDownToLine, ArrowUpFromLine, Ban, CircleCheck, Pencil, Trash2, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { saying } from '../../lib/saying.ts'
import { useUser } from '../../lib/session.ts'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { manageUser } from './api.ts'
import { actionsOn, mayManage, type RowAction } from './user-display.ts'

const ICONS: Readonly<Record<RowAction, ReactNode>> = {
  promote: <ArrowUpFromLine />,
  demote: <ArrowDownToLine />,
  disable: <Ban />,
  enable: <CircleCheck />,
  delete: <Trash2 />,
}

type Opens = { readonly onEdit: (id: number) => void; readonly onAdjust: (id: number) => void; readonly guarded: Guarded }

/** Actions of a row; none for deleted accounts and for those of the same level or above. */
export function useRowActions({ onEdit, onAdjust, guarded }: Opens): {
  readonly actions: (user: User) => ReactNode
  readonly dialog: ReactNode
} {
  const { t } = useTranslation(['users', 'display'])
  const client = useQueryClient()
  const viewer = useUser()
  const { ask, dialog } = useConfirm()
  const run = (user: User, action: RowAction): void => {
    const work = (): Promise<void> =>
      saying(
        guarded(() => manageUser(client, user, action)),
        () => t('done'),
      )
    if (action === 'enable') void work()
    else
      ask({
        title: t(`confirm.${action}`, { name: user.username }),
        help: t(`confirm.${action}-help`),
        confirm: t(`action.${action}`),
        isDangerous: action !== 'promote',
        ...(action === 'delete' ? { typed: user.username } : {}),
        // Not awaited for new rights: the question closes first, because a proof may be needed.
        run: action === 'promote' ? () => void work() : work,
      })
  }
  const actions = (user: User): ReactNode =>
    mayManage(viewer, user) ? (
      <RowActions
        inline={[
          { label: t('action.adjust'), icon: <Wallet />, run: () => onAdjust(user.id) },
          { label: t('display:action.edit'), icon: <Pencil />, run: () => onEdit(user.id) },
        ]}
        menu={actionsOn(viewer, user).map((action) => ({
          id: action,
          label: t(`action.${action}`),
          icon: ICONS[action],
          isDangerous: action === 'delete',
          run: () => run(user, action),
        }))}
      />
    ) : null
  return { actions, dialog }
}
