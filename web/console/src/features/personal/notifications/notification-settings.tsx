import { Button, chakra, Flex, Text } from '@chakra-ui/react'
import type { User } from '@tollgate/contracts/resources/users'
import { Send } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saying } from '../../../lib/saying.ts'
import { useSiteStatus } from '../../../lib/status.ts'
import { toast } from '../../../lib/toast.ts'
import { useQuotaStyle } from '../../../ui/display/quota-text.tsx'
import { leaveField } from '../../../ui/form/form-drawer.tsx'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { useLeaveGuard } from '../../../ui/form/leave-guard.tsx'
import { dollarsText } from '../../../ui/form/money.ts'
import { QuotaField } from '../../../ui/form/quota-field.tsx'
import { SecretField } from '../../../ui/form/secret-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useResourceForm, type ResourceForm } from '../../../ui/form/use-resource-form.ts'
import { useOwnChanges } from '../api.ts'
import { useProof } from '../security/use-proof.tsx'
import { ownSetting } from '../setting.ts'
import { problemsOfNotification, THRESHOLD_PRESETS, toNotificationForm, toSettingChange, type NotificationForm } from './form.ts'
import { OwnNotices } from './own-notices.tsx'

/** How a user wants to hear about a low balance, and when; with a test, and what was sent lately. */
export function NotificationSettings({ account }: { readonly account: User }): ReactNode {
  // A save opens the form again with what is stored now; a refetch in the background must not.
  const [saves, setSaves] = useState(0)
  return (
    <chakra.div display="flex" flexDirection="column" gap="6">
      <SettingsForm key={saves} account={account} onSaved={() => setSaves(saves + 1)} />
      <OwnNotices />
    </chakra.div>
  )
}

type FormProps = { readonly account: User; readonly onSaved: () => void }

function SettingsForm({ account, onSaved }: FormProps): ReactNode {
  const { t } = useTranslation(['personal', 'display'])
  const { saveSetting, testNotice } = useOwnChanges()
  const { guarded, dialog: proof } = useProof()
  const stored = ownSetting(account.setting)
  const usual = useSiteStatus()?.quota_remind_threshold ?? 0
  const form = useResourceForm<NotificationForm>({
    initial: toNotificationForm(stored, usual),
    isNew: account.setting === '',
    problemsOf: (values) => problemsOfNotification(values).map(({ field, text }) => ({ field, message: t(`notification.${text}`) })),
    save: async (values) => {
      try {
        await guarded(() => saveSetting.mutateAsync(toSettingChange(values)))
      } catch (error) {
        // The form shows why.
        toast.error(t('preferences.failed'))
        throw error
      }
      toast.success(t('preferences.saved'))
    },
    onSaved,
    serverFields: { quota_warning_threshold: 'threshold' },
  })
  const { leaving } = useLeaveGuard(form)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (event.target === event.currentTarget && !form.submit()) toast.error(t('display:form.submit-twice'))
  }
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" maxW="xl" onSubmit={submit} onBlur={(e) => leaveField(e, form)}>
      <Fields form={form} account={account} hasSecret={stored.webhook_secret_set === true} pending={stored.notification_email_pending} />
      {form.failure === undefined || form.failure === '' ? null : (
        <Text role="alert" color="danger.fg">
          {form.failure}
        </Text>
      )}
      <Flex gap="2" wrap="wrap" align="center">
        <Button
          type="submit"
          loading={form.isBusy}
          disabled={!form.isDirty && !form.isNew && (stored.notification_email_pending ?? '') === ''}
        >
          {t('display:action.save')}
        </Button>
        <Button
          type="button"
          variant="outline"
          loading={testNotice.isPending}
          disabled={form.isDirty}
          onClick={() => void saying(testNotice.mutateAsync(), () => t('notification.test-queued'))}
        >
          <Send aria-hidden />
          {t('notification.test')}
        </Button>
        {form.isDirty ? (
          <Text textStyle="xs" color="text.muted">
            {t('notification.save-first')}
          </Text>
        ) : null}
      </Flex>
      {leaving}
      {proof}
    </chakra.form>
  )
}

type FieldsProps = {
  readonly form: ResourceForm<NotificationForm>
  readonly account: User
  readonly hasSecret: boolean
  readonly pending: string | undefined
}

function Fields({ form, account, hasSecret, pending }: FieldsProps): ReactNode {
  const { t } = useTranslation('personal')
  const { quota_per_unit } = useQuotaStyle()
  const presets = THRESHOLD_PRESETS.map((quota) => ({
    value: String(quota),
    label: `${quota} (${dollarsText(String(quota), quota_per_unit)}$)`,
  }))
  const { onValue, ...way } = form.field('notify_type')
  return (
    <>
      <ChoiceField
        label={t('notification.way')}
        choices={[
          { value: 'email', label: t('notification.way-email') },
          { value: 'webhook', label: t('notification.way-webhook') },
        ]}
        {...way}
        onValue={(value) => onValue(value === 'webhook' ? 'webhook' : 'email')}
      />
      <QuotaField
        label={t('notification.threshold')}
        help={t('notification.threshold-help')}
        presets={presets}
        {...form.field('threshold')}
      />
      {way.value === 'email' ? (
        <>
          <TextField
            label={t('notification.email')}
            help={account.email === '' ? t('notification.email-unbound') : t('notification.email-help', { email: account.email })}
            type="email"
            autoComplete="email"
            maxLength={500}
            {...form.field('notification_email')}
          />
          {pending !== undefined && pending !== '' ? (
            <TextField
              label={t('notification.code')}
              help={t('notification.code-help', { email: pending })}
              autoComplete="one-time-code"
              maxLength={100}
              {...form.field('notification_code')}
            />
          ) : null}
        </>
      ) : (
        <>
          <TextField
            label={t('notification.webhook')}
            help={t('notification.webhook-help')}
            type="url"
            placeholder="https://"
            spellCheck={false}
            maxLength={2000}
            {...form.field('webhook_url')}
          />
          <SecretField
            label={t('notification.secret')}
            help={t('notification.secret-help')}
            placeholder=""
            isSet={hasSecret}
            isNew={false}
            isLong={false}
            {...form.field('webhook_secret')}
          />
        </>
      )}
    </>
  )
}
