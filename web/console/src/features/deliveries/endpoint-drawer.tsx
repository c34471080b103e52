import { chakra, Stack } from '@chakra-ui/react'
import type { WebhookEndpoint, WebhookEndpointForm, WebhookSecret } from '@tollgate/contracts/resources/webhook-endpoints'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@tollgate/contracts/texts/webhook-events'
import { isWebhookAddress } from '@tollgate/contracts/values/webhook-address'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { toast } from '../../lib/toast.ts'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { LabelledField, SwitchField } from '../../ui/form/labelled-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type Bound, type FormProblem } from '../../ui/form/use-resource-form.ts'
import { useCreateEndpoint, useUpdateEndpoint } from './endpoints-api.ts'

type DrawerProps = {
  /** Absent: a new one is added. */
  readonly endpoint: WebhookEndpoint | undefined
  readonly guarded: Guarded
  readonly onSecret: (made: WebhookSecret) => void
  readonly onClose: () => void
}

const NEW: WebhookEndpointForm = { name: '', url: 'https://', events: [], enabled: true }

export function EndpointDrawer({ endpoint, guarded, onSecret, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('endpoints')
  const create = useCreateEndpoint(guarded)
  const update = useUpdateEndpoint(guarded)
  const { name, url, events, enabled } = endpoint ?? NEW
  const form = useResourceForm<WebhookEndpointForm>({
    initial: { name, url, events, enabled },
    isNew: endpoint === undefined,
    problemsOf: (values): readonly FormProblem<WebhookEndpointForm>[] => [
      ...(values.name.trim() === '' ? [{ field: 'name' as const, message: t('name-required') }] : []),
      ...(isWebhookAddress(values.url.trim()) ? [] : [{ field: 'url' as const, message: t('url-wrong') }]),
      ...(values.events.length === 0 ? [{ field: 'events' as const, message: t('events-required') }] : []),
    ],
    save: async (body) => {
      if (endpoint === undefined) onSecret(await create.mutateAsync(body))
      else await update.mutateAsync({ id: endpoint.id, body })
    },
    onSaved: () => {
      toast.success(t(endpoint === undefined ? 'created' : 'saved'))
      onClose()
    },
  })
  return (
    <FormDrawer title={t(endpoint === undefined ? 'add' : 'edit')} form={form} onClose={onClose}>
      <TextField label={t('name')} required autoFocus maxLength={60} {...form.field('name')} />
      <TextField label={t('url')} help={t('url-help')} required type="url" maxLength={2000} {...form.field('url')} />
      <EventBoxes {...form.field('events')} />
      <SwitchField label={t('enabled')} {...form.field('enabled')} />
    </FormDrawer>
  )
}

function EventBoxes({ value, onValue, error, field }: Bound<WebhookEvent[]>): ReactNode {
  const { t } = useTranslation('endpoints')
  const toggle = (event: WebhookEvent): void =>
    onValue(WEBHOOK_EVENTS.filter((one) => (one === event ? !value.includes(one) : value.includes(one))))
  return (
    <LabelledField label={t('events')} isRequired error={error} field={field}>
      <Stack gap="2">
        {WEBHOOK_EVENTS.map((event) => (
          <chakra.label key={event} display="flex" alignItems="center" gap="2" cursor="pointer">
            <CheckBox label={t(`event.${event}`)} isChecked={value.includes(event)} onChange={() => toggle(event)} />
            {t(`event.${event}`)}
          </chakra.label>
        ))}
      </Stack>
    </LabelledField>
  )
}
