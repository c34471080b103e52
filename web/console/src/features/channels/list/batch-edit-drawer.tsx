import { Alert, Button, chakra, SimpleGrid, Stack } from '@chakra-ui/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { channelBatches, type BatchChange, type BatchEdited } from '@tollgate/contracts/resources/channel-batches'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { isConflict } from '../../../lib/api-error.ts'
import { refresh } from '../../../lib/query-client.ts'
import { failureText } from '../../../lib/report.ts'
import { toast } from '../../../lib/toast.ts'
import { AuditChanges } from '../../../ui/display/audit-changes.tsx'
import { ChoiceField, SwitchField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { DetailDrawer } from '../../../ui/overlay/detail-drawer.tsx'
import { EMPTY_BATCH, LIST_CHOICES, readBatch, SIMPLE_FIELDS, STATUS_CHOICES, type BatchForm, type BatchProblem } from './batch-form.ts'

const FORM = 'channel-batch'
const LISTED = 200
type BatchEditDrawerProps = { readonly channels: readonly Channel[]; readonly onClose: () => void }
type Preview = { readonly change: BatchChange; readonly rows: readonly BatchEdited[] }

/** Changes fields of many channels: first the fields, then every change that would be made, then the change itself. */
export function BatchEditDrawer({ channels, onClose }: BatchEditDrawerProps): ReactNode {
  const { t } = useTranslation('channel-batch')
  const client = useQueryClient()
  const [form, setForm] = useState<BatchForm>(EMPTY_BATCH)
  const [problem, setProblem] = useState<BatchProblem | undefined>(undefined)
  const [preview, setPreview] = useState<Preview | undefined>(undefined)
  const ids = channels.map(({ id }) => id)
  const look = useMutation({
    mutationFn: async (change: BatchChange): Promise<Preview> => ({
      change,
      rows: await call(channelBatches.preview, { body: { ids, change } }),
    }),
    onSuccess: setPreview,
    meta: { quiet: true },
  })
  const save = useMutation({
    mutationFn: ({ change, rows }: Preview) =>
      call(channelBatches.edit, { body: { ids, change, seen: Object.fromEntries(rows.map(({ id, version }) => [id, version])) } }),
    // The list below the refusal shows what would change by now.
    onError: (error, { change }) => (isConflict(error) ? look.mutate(change) : undefined),
    onSuccess: async (count) => {
      await refresh(client, channelBatches.edit)
      toast.success(t('done', { count }))
      onClose()
    },
    meta: { quiet: true },
  })
  const back = (): void => {
    save.reset()
    setPreview(undefined)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const reading = readBatch(form)
    setProblem(reading.kind === 'problem' ? reading.problem : undefined)
    if (reading.kind === 'nothing') toast.warning(t('nothing'))
    if (reading.kind === 'change') look.mutate(reading.change)
  }
  const failure = look.error ?? save.error
  return (
    <DetailDrawer
      title={t('title', { count: channels.length })}
      onClose={onClose}
      footer={
        preview === undefined ? (
          <Button type="submit" form={FORM} loading={look.isPending}>
            {t('look')}
          </Button>
        ) : (
          <>
            <Button variant="outline" disabled={save.isPending} onClick={back}>
              {t('back')}
            </Button>
            <Button disabled={preview.rows.length === 0} loading={save.isPending} onClick={() => save.mutate(preview)}>
              {t('save', { count: preview.rows.length })}
            </Button>
          </>
        )
      }
    >
      <Stack gap="5">
        {failure === null ? null : <Failure error={failure} />}
        {preview === undefined ? (
          <chakra.form id={FORM} noValidate onSubmit={submit} display="flex" flexDirection="column" gap="5">
            <chakra.p color="text.muted">{t('help')}</chakra.p>
            <BatchFields form={form} problem={problem} onChange={(change) => setForm({ ...form, ...change })} />
          </chakra.form>
        ) : (
          <PreviewList rows={preview.rows} />
        )}
      </Stack>
    </DetailDrawer>
  )
}

function Failure({ error }: { readonly error: Error }): ReactNode {
  const { t } = useTranslation('channel-batch')
  return (
    <Alert.Root status="error">
      <Alert.Indicator />
      <Stack gap="1">
        <Alert.Title>{failureText(error)}</Alert.Title>
        {isConflict(error) ? <Alert.Description>{t('conflict')}</Alert.Description> : null}
      </Stack>
    </Alert.Root>
  )
}

type BatchFieldsProps = {
  readonly form: BatchForm
  readonly problem: BatchProblem | undefined
  readonly onChange: (change: Partial<BatchForm>) => void
}

function BatchFields({ form, problem, onChange }: BatchFieldsProps): ReactNode {
  const { t } = useTranslation('channel-batch')
  const errorOf = (field: keyof BatchForm): string | undefined => (problem?.field === field ? t(problem.text) : undefined)
  return (
    <>
      <ChoiceField
        label={t('status')}
        value={form.status}
        choices={STATUS_CHOICES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        onValue={(value) => onChange({ status: STATUS_CHOICES.find((known) => known === value) ?? 'keep' })}
        {...(form.status === 'enable' ? { help: t('enable-help') } : {})}
      />
      {(['models', 'groups'] as const).map((field) => (
        <SimpleGrid key={field} columns={{ base: 1, sm: form[field].choice === 'keep' ? 1 : 2 }} gap="4">
          <ChoiceField
            label={t(field)}
            value={form[field].choice}
            choices={LIST_CHOICES.map((value) => ({ value, label: t(`list.${value}`) }))}
            onValue={(value) => onChange({ [field]: { ...form[field], choice: LIST_CHOICES.find((known) => known === value) ?? 'keep' } })}
          />
          {form[field].choice === 'keep' ? null : (
            <TextField
              label={t(`names.${field}`)}
              help={t('names-help')}
              rows={3}
              value={form[field].text}
              error={errorOf(field)}
              onValue={(text) => onChange({ [field]: { ...form[field], text } })}
            />
          )}
        </SimpleGrid>
      ))}
      {SIMPLE_FIELDS.map((field) => (
        <Stack key={field} gap="2">
          <SwitchField
            label={t('change', { field: t(field) })}
            value={form[field] !== undefined}
            onValue={(isOn) => onChange({ [field]: isOn ? '' : undefined })}
          />
          {form[field] === undefined ? null : (
            <TextField
              label={t(field)}
              value={form[field]}
              error={errorOf(field)}
              onValue={(text) => onChange({ [field]: text })}
              {...(field === 'tag' ? { help: t('empty-help') } : {})}
              {...(field === 'proxy' ? { help: `${t('proxy-help')} ${t('empty-help')}` } : {})}
            />
          )}
        </Stack>
      ))}
    </>
  )
}

function PreviewList({ rows }: { readonly rows: readonly BatchEdited[] }): ReactNode {
  const { t } = useTranslation('channel-batch')
  if (rows.length === 0) return <chakra.p color="text.muted">{t('preview-none')}</chakra.p>
  return (
    <Stack gap="3">
      <chakra.p color="text.strong" fontWeight="medium">
        {t('preview-found', { count: rows.length })}
      </chakra.p>
      <Stack as="ul" listStyleType="none" gap="3">
        {rows.slice(0, LISTED).map(({ id, name, changes }) => (
          <li key={id}>
            <chakra.p color="text.strong" overflowWrap="anywhere">{`#${id} ${name}`}</chakra.p>
            <AuditChanges changes={changes} />
          </li>
        ))}
      </Stack>
      {rows.length > LISTED ? <chakra.p color="text.muted">{t('more', { count: rows.length - LISTED })}</chakra.p> : null}
    </Stack>
  )
}
