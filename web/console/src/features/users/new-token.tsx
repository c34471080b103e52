import { Button, chakra, Flex, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { userAccess } from '@tollgate/contracts/resources/user-access'
import { users, type User } from '@tollgate/contracts/resources/users'
import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'
import type { Guarded } from './reset-two-factor.tsx'

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
        <InfoDialog
          title={t('token.made', { name: user.username })}
          buttons={<Button onClick={() => setKey(undefined)}>{t('display:action.close')}</Button>}
          isOnce
          onClose={() => setKey(undefined)}
        >
          <Flex align="center" gap="2">
            <chakra.code flex="1" minW="0" overflowWrap="anywhere" aria-label={t('token.key')}>
              {key}
            </chakra.code>
            <CopyButton text={key} />
          </Flex>
          <Text textStyle="xs" color="text.muted" mt="2">
            {t('token.once')}
          </Text>
        </InfoDialog>
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
