import { useQuery } from '@tanstack/react-query'
import type { User, UserChange } from '@tollgate/contracts/resources/users'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { ownAccount } from '../../lib/own-account.ts'
import { session } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { ManagedNote } from '../../ui/display/managed-note.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { useEditConflict } from '../../ui/form/use-edit-conflict.tsx'
import { useResourceForm, type ResourceForm } from '../../ui/form/use-resource-form.ts'
import { LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { useUserChanges, userById } from './api.ts'
import { UserFields } from './fields.tsx'
import { EMPTY_FORM, problemsOf, toChange, toForm, toLimits, toNewUser, toSelfChange, type UserForm } from './form.ts'
import { isOrganisation } from './user-display.ts'

/** Adds an ordinary user. */
export function CreateUserDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation('users')
  const { create } = useUserChanges()
  const form = useUserForm(EMPTY_FORM, onClose, true, async (values) => {
    await create.mutateAsync(toNewUser(values))
    toast.success(t('created-toast'))
  })
  return (
    <FormDrawer title={t('drawer.create-title')} form={form} onClose={onClose}>
      <UserFields form={form} kind="new" />
    </FormDrawer>
  )
}

/** A new password is set only after a proof. */
type Guards = { readonly guarded: Guarded; readonly onClose: () => void }

/** Edits the user of the address; reads it fresh, so that the balance is the current one. */
export function EditUserDrawer({ id, ...rest }: Guards & { readonly id: number }): ReactNode {
  const { t } = useTranslation('users')
  return (
    <LoadingDrawer title={t('drawer.edit-title')} query={useQuery(userById(id))} onClose={rest.onClose}>
      {(user) => <LoadedDrawer user={user} {...rest} />}
    </LoadingDrawer>
  )
}

/** `/user/edit` without an id edits the own account: no group, no balance. */
export function EditSelfDrawer(rest: Guards): ReactNode {
  const { t } = useTranslation('users')
  return (
    <LoadingDrawer title={t('drawer.self-title')} query={useQuery({ ...ownAccount, staleTime: 0 })} onClose={rest.onClose}>
      {(user) => <LoadedSelfDrawer user={user} {...rest} />}
    </LoadingDrawer>
  )
}

function LoadedDrawer({ user, guarded, onClose }: Guards & { readonly user: User }): ReactNode {
  const { t } = useTranslation('users')
  const [opened] = useState(user)
  const { update } = useUserChanges()
  const { saving, dialog } = useEditConflict()
  const form = useUserForm(toForm(opened), onClose, false, async (values) => {
    const change = toChange(opened, values)
    const send = (body: UserChange | undefined) =>
      guarded(() => update.mutateAsync({ id: opened.id, change: body, limits: toLimits(opened, values) }))
    const { username, display_name, group } = opened
    if (change === undefined) await send(undefined)
    else await saving(change, { username, display_name, group }, send)
    toast.success(t('updated-toast'))
  })
  return (
    <FormDrawer title={t('drawer.edit-title')} form={form} onClose={onClose}>
      {isOrganisation(opened) ? <ManagedNote kind="organisation" names={[opened.display_name]} /> : null}
      <UserFields form={form} kind="other" user={opened} />
      {dialog}
    </FormDrawer>
  )
}

function LoadedSelfDrawer({ user, guarded, onClose }: Guards & { readonly user: User }): ReactNode {
  const { t } = useTranslation('users')
  const [opened] = useState(user)
  const { updateSelf } = useUserChanges()
  const form = useUserForm(toForm(opened), onClose, false, async (values) => {
    await guarded(() => updateSelf.mutateAsync(toSelfChange(opened, values)))
    const stored = session.user()
    if (stored !== undefined) session.start({ ...stored, username: values.username.trim(), display_name: values.display_name.trim() })
    toast.success(t('updated-toast'))
  })
  return (
    <FormDrawer title={t('drawer.self-title')} form={form} onClose={onClose}>
      <UserFields form={form} kind="self" user={opened} />
    </FormDrawer>
  )
}

function useUserForm(
  initial: UserForm,
  onSaved: () => void,
  isNew: boolean,
  save: (values: UserForm) => Promise<void>,
): ResourceForm<UserForm> {
  const { t } = useTranslation('users')
  return useResourceForm({
    initial,
    isNew,
    save,
    onSaved,
    problemsOf: (values) => problemsOf(values, initial, isNew).map(({ field, text }) => ({ field, message: t(`error.${text}`) })),
  })
}
