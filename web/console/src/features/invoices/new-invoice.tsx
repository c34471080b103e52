import { Alert, Button, Flex, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  INVOICE_VENDORS,
  MAX_INVOICE_CHARACTERS,
  type InvoicePreview,
  type VendorInvoice,
} from '@tollgate/contracts/resources/vendor-invoices'
import { ArrowLeft } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { FileButton } from '../../ui/form/file-button.tsx'
import { ChoiceField, LabelledField } from '../../ui/form/labelled-field.tsx'
import { PickField } from '../../ui/form/pick-field.tsx'
import { Chips, TagSelect } from '../../ui/form/tag-select.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { invoiceChannels, invoicePreview, useCreate, useFetch } from './api.ts'
import { channelIdOf, channelLabel, firstDraft, isComplete, isFetched, VENDOR_TIME_ZONES, type Change, type Draft } from './draft.ts'
import { FilePreview } from './file-preview.tsx'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const MAX_FILES = 8

type NewInvoiceProps = { /** Undefined: nothing was saved. */ readonly onDone: (id: number | undefined) => void }

/** The form of a new invoice: whose it is, its files with the meaning of their columns, and what they say. */
export function NewInvoice({ onDone }: NewInvoiceProps): ReactNode {
  const { t } = useTranslation('invoices')
  const [draft, setDraft] = useState(() => firstDraft(new Date()))
  const change: Change = (part) => setDraft((before) => ({ ...before, ...part }))
  const preview = useQuery(invoicePreview(draft.version, { vendor: draft.vendor, time_zone: draft.time_zone, files: filesOf(draft) }))
  const shown = draft.source === 'file' && draft.files.length > 0 ? preview.data : undefined
  const save = useSave(draft, shown, onDone)
  const isReady = isComplete(draft) && (draft.source === 'api' || (shown?.problem_count === 0 && !preview.isFetching))
  return (
    <Page
      title={t('new.title')}
      lead={t('new.lead')}
      action={
        <Button variant="outline" onClick={() => onDone(undefined)}>
          <ArrowLeft />
          {t('back')}
        </Button>
      }
    >
      <Stack
        as="form"
        gap="4"
        maxW="5xl"
        {...{ onSubmit: (event: FormEvent) => (event.preventDefault(), isReady ? save.run() : undefined) }}
      >
        <Panel title={t('new.vendor')}>
          <HeadFields draft={draft} change={change} />
        </Panel>
        <Panel title={t('new.by')}>
          <SourceFields draft={draft} change={change} />
        </Panel>
        {draft.source === 'file' && preview.isFetching ? (
          <Text role="status" color="text.muted" textStyle="sm">
            {t('new.reading')}
          </Text>
        ) : null}
        {draft.source === 'file' && preview.error !== null ? <Failure text={failureText(preview.error)} /> : null}
        {shown === undefined ? null : <FilePreview preview={shown} draft={draft} change={change} />}
        <Failure text={save.failure} />
        <Flex>
          <Button type="submit" disabled={!isReady} loading={save.isBusy}>
            {t(draft.source === 'file' ? 'new.save' : 'new.read')}
          </Button>
        </Flex>
      </Stack>
    </Page>
  )
}

function Failure({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null
  return (
    <Alert.Root status="error">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Description>{text}</Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}

const filesOf = ({ files }: Draft) =>
  files.map(({ name, text, mapping }) => ({ name, text, ...(mapping === undefined ? {} : { mapping }) }))

/** Saves the invoice with the mappings that are shown, so that they are remembered. */
function useSave(draft: Draft, preview: InvoicePreview | undefined, onDone: NewInvoiceProps['onDone']) {
  const { t } = useTranslation('invoices')
  const create = useCreate()
  const fetched = useFetch()
  const { name, vendor, time_zone, accounts, key, first_day, last_day } = draft
  const head = { name: name.trim(), time_zone, channel_ids: draft.channels.map(channelIdOf), accounts }
  const done = {
    onSuccess: ({ id }: VendorInvoice) => {
      toast.success(t('new.saved'))
      onDone(id)
    },
  }
  const run = (): void => {
    if (draft.source === 'api') {
      if (isFetched(vendor)) fetched.mutate({ ...head, vendor, key: key.trim(), address: '', first_day, last_day }, done)
      return
    }
    const files = filesOf(draft).map((file, nth) => {
      const mapping = file.mapping ?? preview?.files[nth]?.mapping
      return mapping === undefined ? file : { ...file, mapping }
    })
    create.mutate({ ...head, vendor, files }, done)
  }
  const error = draft.source === 'api' ? fetched.error : create.error
  return { run, isBusy: create.isPending || fetched.isPending, failure: error === null ? undefined : failureText(error) }
}

type FieldsProps = { readonly draft: Draft; readonly change: Change }

function HeadFields({ draft, change }: FieldsProps): ReactNode {
  const { t } = useTranslation('invoices')
  const channels = useQuery(invoiceChannels)
  return (
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
      <TextField
        label={t('new.name')}
        help={t('new.name-help')}
        value={draft.name}
        onValue={(name) => change({ name })}
        maxLength={100}
        required
      />
      <ChoiceField
        label={t('new.vendor')}
        value={draft.vendor}
        choices={INVOICE_VENDORS.map((value) => ({ value, label: t(`vendor.${value}`) }))}
        onValue={(value) => {
          const vendor = INVOICE_VENDORS.find((one) => one === value) ?? 'other'
          change({
            vendor,
            time_zone: VENDOR_TIME_ZONES[vendor],
            version: draft.version + 1,
            ...(isFetched(vendor) ? {} : { source: 'file' }),
          })
        }}
      />
      <PickField
        label={t('new.zone')}
        help={t('new.zone-help')}
        options={ZONES}
        value={draft.time_zone}
        onValue={(time_zone) => change({ time_zone, version: draft.version + 1 })}
      />
      <LabelledField label={t('new.channels')} help={t('new.channels-help')} isRequired>
        <TagSelect
          label={t('new.channels')}
          options={(channels.data ?? []).map(channelLabel)}
          value={draft.channels}
          onChange={(next) => change({ channels: next, accounts: {} })}
          placeholder={t('new.channels-choose')}
        />
      </LabelledField>
    </SimpleGrid>
  )
}

function SourceFields({ draft, change }: FieldsProps): ReactNode {
  const { t } = useTranslation('invoices')
  return (
    <Stack gap="4">
      <ChoiceField
        label={t('new.by')}
        value={draft.source}
        choices={[{ value: 'file', label: t('new.file') }, ...(isFetched(draft.vendor) ? [{ value: 'api', label: t('new.api') }] : [])]}
        onValue={(source) => change({ source: source === 'api' ? 'api' : 'file' })}
      />
      {draft.source === 'file' ? <FileFields draft={draft} change={change} /> : <ApiFields draft={draft} change={change} />}
    </Stack>
  )
}

function FileFields({ draft, change }: FieldsProps): ReactNode {
  const { t } = useTranslation('invoices')
  const { files, version } = draft
  const add = async (file: File): Promise<void> => {
    const text = await file.text()
    const length = files.reduce((sum, one) => sum + one.text.length, text.length)
    if (length > MAX_INVOICE_CHARACTERS) {
      toast.error(t('new.too-large'))
      return
    }
    const others = files.filter(({ name }) => name !== file.name)
    change({ files: [...others, { name: file.name, text, mapping: undefined }].slice(-MAX_FILES), version: version + 1 })
  }
  return (
    <LabelledField label={t('new.files')} help={t('new.files-help')} isRequired>
      <Stack gap="2" align="flex-start">
        <FileButton label={t('new.files')} text={t('new.choose')} accept=".csv,.tsv,.txt,.json,.jsonl" onFile={(file) => void add(file)} />
        <Chips
          label={t('new.files')}
          names={files.map(({ name }) => name)}
          isMono={false}
          onRemove={(name) => change({ files: files.filter((file) => file.name !== name), version: version + 1 })}
        />
      </Stack>
    </LabelledField>
  )
}

function ApiFields({ draft, change }: FieldsProps): ReactNode {
  const { t } = useTranslation('invoices')
  return (
    <SimpleGrid columns={{ base: 1, md: 3 }} gap="4">
      <TextField
        label={t('new.key')}
        help={t('new.key-help')}
        type="password"
        autoComplete="off"
        placeholder={t('new.key-placeholder')}
        value={draft.key}
        onValue={(key) => change({ key })}
        required
      />
      <TextField label={t('new.first')} type="date" value={draft.first_day} onValue={(first_day) => change({ first_day })} required />
      <TextField label={t('new.last')} type="date" value={draft.last_day} onValue={(last_day) => change({ last_day })} required />
    </SimpleGrid>
  )
}
