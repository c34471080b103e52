import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { User } from '@tollgate/contracts/resources/users'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNames } from '../../lib/group-names.ts'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { FormSection } from '../../ui/form/form-drawer.tsx'
import { ChoiceField } from '../../ui/form/labelled-field.tsx'
import { LimitFields } from '../../ui/form/limit-fields.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import type { ResourceForm } from '../../ui/form/use-resource-form.ts'
import { type UserForm } from './form.ts'
import { BINDINGS } from './user-display.ts'

type FieldsProps = {
  readonly form: ResourceForm<UserForm>
  readonly kind: 'new' | 'other' | 'self'
  readonly user?: User
}

export function UserFields({ form, kind, user }: FieldsProps): ReactNode {
  const { t } = useTranslation('users')
  const { field } = form
  return (
    <>
      <FormSection title={t('drawer.basics')}>
        <TextField
          label={t('field.username')}
          help={t('field.username-help')}
          required={kind === 'new'}
          autoFocus={kind === 'new'}
          autoComplete="off"
          {...field('username')}
        />
        <TextField label={t('field.display-name')} help={t('field.display-name-help')} autoComplete="off" {...field('display_name')} />
        <TextField
          type="password"
          label={t('field.password')}
          help={t(kind === 'new' ? 'field.password-help' : 'field.password-keep')}
          required={kind === 'new'}
          autoComplete="new-password"
          {...field('password')}
        />
        {kind === 'self' && form.values.password !== '' ? (
          <TextField
            type="password"
            label={t('field.original-password')}
            help={t('field.original-password-help')}
            autoComplete="current-password"
            {...field('original_password')}
          />
        ) : null}
      </FormSection>
      {kind === 'other' ? <OtherFields form={form} /> : null}
      {user === undefined ? null : (
        <FormSection title={t('drawer.bindings')}>
          <FactsList>
            {BINDINGS.map((name) => (
              <Fact key={name} name={t(`binding.${name}`)}>
                {user[name] === '' ? t('binding.none') : user[name]}
              </Fact>
            ))}
          </FactsList>
        </FormSection>
      )}
    </>
  )
}

/** Fields that only an administrator sets. */
function OtherFields({ form: { field, values } }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation('users')
  const names = useQuery(groupNames).data ?? []
  const choices = names.includes(values.group) ? names : [values.group, ...names]
  return (
    <>
      <FormSection title={t('drawer.quota')}>
        <ChoiceField
          label={t('field.group')}
          help={t('field.group-help')}
          choices={choices.map((name) => ({ value: name, label: name }))}
          {...field('group')}
        />
        <chakra.p color="text.muted">{t('field.quota-elsewhere')}</chakra.p>
      </FormSection>
      <FormSection title={t('drawer.limits')}>
        <LimitFields
          texts={(name) => ({ label: t(`field.${name}`), help: t(`field.${name}-help`) })}
          placeholder={t('no-limit')}
          bind={field}
        />
      </FormSection>
    </>
  )
}
