import { Button, Text } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { session, useUser } from '../../lib/session.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { convert } from './api.ts'

/** Makes the own account an organisation's, with its tokens and wallet. */
export function ConvertPanel({ guarded }: { readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('organisations')
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title={t('convert')}
      action={
        <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
          {t('convert-submit')}
        </Button>
      }
    >
      <Text textStyle="sm" color="text.muted">
        {t('convert-help')}
      </Text>
      {isOpen ? <ConvertDrawer guarded={guarded} onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}

type ConvertForm = { readonly name: string; readonly project: string }

function ConvertDrawer({ guarded, onClose }: { readonly guarded: Guarded; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('organisations')
  const user = useUser()
  const form = useResourceForm<ConvertForm>({
    initial: { name: '', project: t('convert-default') },
    isNew: true,
    problemsOf: ({ name, project }) => [
      ...(name.trim() === '' ? [{ field: 'name', message: t('error-name') } as const] : []),
      ...(project.trim() === '' ? [{ field: 'project', message: t('error-name') } as const] : []),
    ],
    askBefore: () => ({ title: t('convert'), help: t('convert-help'), confirm: t('convert-submit'), isDangerous: true }),
    save: async ({ name, project }) => {
      const made = await guarded(() => convert({ name: name.trim(), project: project.trim() }))
      if (user !== undefined) session.start({ ...user, id: made.user_id })
      window.location.assign('/organisations')
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('convert')} form={form} onClose={onClose}>
      <TextField label={t('name')} help={t('name-help')} required autoFocus maxLength={40} {...form.field('name')} />
      <TextField label={t('convert-project')} required maxLength={40} {...form.field('project')} />
    </FormDrawer>
  )
}
