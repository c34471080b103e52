import { Box, Button, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisationAccess, type MappedClaim } from '@tollgate/contracts/resources/organisation-access'
import { PROVIDERS, type Provider } from '@tollgate/contracts/resources/oauth'
import { MEMBER_ROLES } from '@tollgate/contracts/rights'
import { Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { PROVIDER_NAMES } from '../../lib/provider-names.ts'
import { may } from '../../lib/rights.ts'
import { report } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { ChoiceField } from '../../ui/form/labelled-field.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type FormProblem } from '../../ui/form/use-resource-form.ts'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { access, useAccessChange } from './access-api.ts'

/** The provider with which members must sign in. */
export function SignInPanel({ guarded }: { readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('organisations')
  const { data } = useQuery(access)
  const mayWrite = may(useUser(), 'sign-in.write')
  const setting = useAccessChange((provider: Provider | '') => guarded(() => call(organisationAccess.setProvider, { body: { provider } })))
  if (data === undefined || (data.providers.length === 0 && data.sign_in_provider === '')) return null
  const { sign_in_provider, providers } = data
  const set = async (value: string): Promise<void> => {
    await setting.mutateAsync(PROVIDERS.find((one) => one === value) ?? '')
    toast.success(t('sign-in.saved'))
  }
  // One that was turned off stays shown while it is required.
  const listed = PROVIDERS.filter((one) => providers.includes(one) || one === sign_in_provider)
  const nameOf = (provider: Provider | ''): string => (provider === '' ? t('sign-in.any') : PROVIDER_NAMES[provider])
  return (
    <Panel title={t('sign-in.title')} help={t('sign-in.help')} isFlush>
      <PanelRow
        title={t('sign-in.required')}
        action={
          mayWrite ? (
            <Box w="36">
              <Select
                isWide
                label={t('sign-in.required')}
                value={sign_in_provider}
                choices={(['', ...listed] as const).map((value) => ({ value, label: nameOf(value) }))}
                onChange={(value) => void set(value).catch(report)}
              />
            </Box>
          ) : (
            <ToneTag tone="grey">{nameOf(sign_in_provider)}</ToneTag>
          )
        }
      >
        {t('sign-in.way')}
      </PanelRow>
    </Panel>
  )
}

/** Groups of the sign-in provider that give roles. */
export function ClaimsPanel(): ReactNode {
  const { t } = useTranslation('organisations')
  const { data } = useQuery(access)
  const mayWrite = may(useUser(), 'identity.write')
  const [isAdding, setAdding] = useState(false)
  const setting = useAccessChange((claims: MappedClaim[]) => call(organisationAccess.setClaims, { body: { claims } }))
  if (data === undefined || !data.maps_claims) return null
  const { claims } = data
  return (
    <Panel
      title={t('claims.title')}
      help={t('claims.help')}
      isFlush
      action={
        mayWrite ? (
          <Button size="sm" variant="outline" onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            {t('claims.add')}
          </Button>
        ) : undefined
      }
    >
      {claims.length === 0 ? (
        <Text px="4" py="3" color="text.muted">
          {t('claims.none')}
        </Text>
      ) : null}
      {claims.map((one) => (
        <PanelRow
          key={`${one.claim}=${one.value}`}
          title={`${one.claim} = ${one.value}`}
          action={
            mayWrite ? (
              <IconButton
                size="sm"
                variant="ghost"
                label={t('claims.remove', { value: one.value })}
                onClick={() => void saying(setting.mutateAsync(claims.filter((other) => other !== one)), () => t('claims.saved'))}
              >
                <Trash2 />
              </IconButton>
            ) : undefined
          }
        >
          {t(`roles.${one.role}`)}
        </PanelRow>
      ))}
      {isAdding ? <ClaimDrawer save={(added) => setting.mutateAsync([...claims, added])} onClose={() => setAdding(false)} /> : null}
    </Panel>
  )
}

type ClaimForm = { readonly claim: string; readonly value: string; readonly role: string }
type ClaimProps = { readonly save: (claim: MappedClaim) => Promise<unknown>; readonly onClose: () => void }

function ClaimDrawer({ save, onClose }: ClaimProps): ReactNode {
  const { t } = useTranslation('organisations')
  const form = useResourceForm<ClaimForm>({
    initial: { claim: 'groups', value: '', role: 'developer' },
    isNew: true,
    problemsOf: (values): readonly FormProblem<ClaimForm>[] =>
      (['claim', 'value'] as const).flatMap((field) => (values[field].trim() === '' ? [{ field, message: t('claims.error') }] : [])),
    save: async ({ claim, value, role }) => {
      await save({ claim: claim.trim(), value: value.trim(), role: MEMBER_ROLES.find((one) => one === role) ?? 'viewer' })
      toast.success(t('claims.saved'))
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('claims.add')} form={form} onClose={onClose}>
      <TextField label={t('claims.claim')} help={t('claims.claim-help')} required maxLength={100} {...form.field('claim')} />
      <TextField label={t('claims.value')} required autoFocus maxLength={500} {...form.field('value')} />
      <ChoiceField
        label={t('claims.role')}
        choices={MEMBER_ROLES.map((value) => ({ value, label: t(`roles.${value}`) }))}
        {...form.field('role')}
      />
    </FormDrawer>
  )
}
