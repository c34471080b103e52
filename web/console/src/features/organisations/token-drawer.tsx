import { organisationAccess } from '@tollgate/contracts/resources/organisation-access'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type FormProblem } from '../../ui/form/use-resource-form.ts'
import { useAccessChange } from './access-api.ts'

type DrawerProps = { readonly guarded: Guarded; readonly onMade: (secret: string) => void; readonly onClose: () => void }
type TokenForm = { readonly name: string; readonly days: string }

const MAX_DAYS = 3650

export function TokenDrawer({ guarded, onMade, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('organisations')
  const making = useAccessChange((body: { readonly name: string; readonly days: number }) =>
    guarded(() => call(organisationAccess.createToken, { body })),
  )
  const form = useResourceForm<TokenForm>({
    initial: { name: '', days: '0' },
    isNew: true,
    problemsOf: ({ name, days }): readonly FormProblem<TokenForm>[] => [
      ...(name.trim() === '' ? [{ field: 'name' as const, message: t('scim.error-name') }] : []),
      ...(/^\d+$/.test(days.trim()) && Number(days) <= MAX_DAYS ? [] : [{ field: 'days' as const, message: t('scim.error-days') }]),
    ],
    save: async ({ name, days }) => onMade((await making.mutateAsync({ name: name.trim(), days: Number(days) })).token),
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('scim.create')} form={form} onClose={onClose}>
      <TextField label={t('scim.name')} help={t('scim.name-help')} required autoFocus maxLength={40} {...form.field('name')} />
      <TextField label={t('scim.days')} help={t('scim.days-help')} inputMode="numeric" maxLength={4} {...form.field('days')} />
    </FormDrawer>
  )
}
