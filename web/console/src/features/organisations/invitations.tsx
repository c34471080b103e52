import { Button, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisation } from '@tollgate/contracts/resources/organisations'
import { MEMBER_ROLES, type MemberRole } from '@tollgate/contracts/rights'
import { mayGive } from '@tollgate/domain/access/rights'
import { timeText } from '@tollgate/domain/display/time-text'
import { Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { failureText } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { useUser } from '../../lib/session.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { ChoiceField } from '../../ui/form/labelled-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { openInvitations, useChange } from './api.ts'

/** Open invitations, and new ones. */
export function InvitationsPanel(): ReactNode {
  const { t } = useTranslation(['organisations', 'display'])
  const { data, error, refetch } = useQuery(openInvitations)
  const withdrawing = useChange((id: number) => call(organisation.withdraw, { params: { id } }))
  const [isOpen, setOpen] = useState(false)
  const [code, setCode] = useState<string | undefined>(undefined)
  return (
    <Panel
      title={t('invite.title')}
      help={t('invite.help')}
      isFlush
      action={
        <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
          <Plus aria-hidden />
          {t('invite.create')}
        </Button>
      }
    >
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? (
        <Text px="4" py="3" color="text.muted">
          {t('invite.none')}
        </Text>
      ) : null}
      {data?.map(({ id, email, role, invited_by, expires_at }) => {
        const name = email === '' ? t('invite.by-link') : email
        return (
          <PanelRow
            key={id}
            title={name}
            action={
              <IconButton
                size="sm"
                variant="ghost"
                label={t('invite.withdraw', { name })}
                loading={withdrawing.isPending && withdrawing.variables === id}
                onClick={() => void saying(withdrawing.mutateAsync(id), () => t('invite.withdrawn'))}
              >
                <X />
              </IconButton>
            }
          >
            {t('invite.line', { role: t(`roles.${role}`), name: invited_by, time: timeText(expires_at) })}
          </PanelRow>
        )
      })}
      {isOpen ? <InviteDrawer onMade={setCode} onClose={() => setOpen(false)} /> : null}
      {code === undefined ? null : (
        <SecretDialog title={t('invite.link')} secret={linkOf(code)} help={t('invite.link-help')} onClose={() => setCode(undefined)} />
      )}
    </Panel>
  )
}

const linkOf = (code: string): string => `${window.location.origin}/organisations?code=${code}`

type InviteForm = { readonly email: string; readonly role: string }

function InviteDrawer({ onMade, onClose }: { readonly onMade: (code: string) => void; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('organisations')
  const own = useUser()?.member?.role ?? 'viewer'
  const inviting = useChange((body: { readonly email: string; readonly role: MemberRole }) => call(organisation.invite, { body }))
  const form = useResourceForm<InviteForm>({
    initial: { email: '', role: 'developer' },
    isNew: true,
    problemsOf: () => [],
    save: async ({ email, role }) => {
      const wanted = MEMBER_ROLES.find((one) => one === role) ?? 'viewer'
      const { code } = await inviting.mutateAsync({ email: email.trim(), role: wanted })
      onMade(code)
    },
    onSaved: onClose,
  })
  const role = MEMBER_ROLES.find((one) => one === form.values.role) ?? 'viewer'
  return (
    <FormDrawer title={t('invite.dialog-title')} form={form} onClose={onClose}>
      <TextField label={t('invite.email')} help={t('invite.email-help')} type="email" autoFocus maxLength={254} {...form.field('email')} />
      <ChoiceField
        label={t('invite.role')}
        help={t(`roles-help.${role}`)}
        choices={MEMBER_ROLES.filter((one) => mayGive(own, one)).map((value) => ({ value, label: t(`roles.${value}`) }))}
        {...form.field('role')}
      />
    </FormDrawer>
  )
}
