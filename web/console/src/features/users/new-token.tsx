import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { userAccess } from '@tollgate/contracts/resources/user-access'
import { users, type User } from '@tollgate/contracts/resources/users'
import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { refresh } from '../../lib/query-client.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'

/** Makes a token for a user, within the user's balance; the key is shown once. */
export function NewToken({ user, guarded }: { readonly user: User; readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation(['users', 'display'])
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState<string | undefined>(undefined)
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
        <Plus />
        {t('token.create')}
      </Button>
      {isOpen ? <NewTokenDrawer user={user} guarded={guarded} onMade={setKey} onClose={() => setOpen(false)} /> : null}
      {key === undefined ? null : (
        <SecretDialog
          title={t('token.made', { name: user.username })}
          label={t('token.key')}
          secret={key}
          help={t('token.once')}
          onClose={() => setKey(undefined)}
        />
      )}
    </>
  )
}

type DrawerProps = {
  readonly user: User
  readonly guarded: Guarded
  readonly onMade: (key: string) => void
  readonly onClose: () => void
}

function NewTokenDrawer({ user, guarded, onMade, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const form = useResourceForm<{ readonly name: string }>({
    initial: { name: '' },
    isNew: true,
    problemsOf: ({ name }) => (name.trim() === '' ? [{ field: 'name', message: t('token.error-name') }] : []),
    save: async ({ name }) => {
      const body = { name: name.trim(), unlimited_quota: true }
      const made = await guarded(() => call(userAccess.createToken, { params: { id: user.id }, body }))
      onMade(made.key)
      await refresh(client, users.tokens)
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('token.title', { name: user.username })} form={form} onClose={onClose}>
      <TextField label={t('token.name')} help={t('token.help')} required autoFocus maxLength={30} {...form.field('name')} />
    </FormDrawer>
  )
}
