import { Button, chakra, Field, Flex, NativeSelect, Textarea } from '@chakra-ui/react'
import { catalogue, type CatalogueEntry } from '@tollgate/providers/catalogue'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { rememberedLanguage } from '../../i18n/language.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useAddChannel } from './api.ts'
import { checkChannel, modelsOf, toNewChannel, type ChannelDraft } from './channel-draft.ts'

const offered = catalogue.filter((entry) => entry.isSelectable && entry.isSupported)

const draftFor = (entry: CatalogueEntry | undefined): ChannelDraft => ({
  type: entry?.type ?? 1,
  name: entry?.name.en ?? '',
  key: '',
  base_url: '',
  models: entry?.models.join(', ') ?? '',
})

/** The few fields a first channel needs; the rest waits on the channel page. */
export function ChannelStep({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation('home')
  const [draft, setDraft] = useState<ChannelDraft>(() => draftFor(offered[0]))
  const { mutate, isPending } = useAddChannel()
  const entry = offered.find(({ type }) => type === draft.type)
  const set = (change: Partial<ChannelDraft>): void => setDraft({ ...draft, ...change })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const wrong = checkChannel(draft, entry?.needsBaseUrl === true)
    if (wrong !== undefined) return toast.error(t(wrong))
    mutate(toNewChannel(draft), {
      onSuccess: () => {
        toast.success(t('channel-added'))
        onDone()
      },
    })
  }
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={onSubmit}>
      <Flex gap="4" direction={{ base: 'column', sm: 'row' }} align="flex-start">
        <VendorSelect
          type={draft.type}
          onType={(type) => setDraft({ ...draftFor(offered.find((one) => one.type === type)), key: draft.key })}
        />
        <TextField label={t('channel-name')} value={draft.name} onValue={(name) => set({ name })} />
      </Flex>
      <TextField
        label={t('channel-key')}
        type="password"
        autoComplete="off"
        fontFamily="mono"
        value={draft.key}
        help={t('channel-key-help')}
        placeholder={entry?.keyHint?.[rememberedLanguage()] ?? ''}
        onValue={(key) => set({ key })}
      />
      <TextField
        label={t('channel-address')}
        value={draft.base_url}
        placeholder={entry?.baseUrl ?? ''}
        help={entry?.needsBaseUrl === true ? t('channel-address-needed') : t('channel-address-help')}
        onValue={(base_url) => set({ base_url })}
      />
      <Field.Root>
        <Field.Label>{t('channel-models')}</Field.Label>
        <Textarea
          rows={3}
          fontFamily="mono"
          textStyle="xs"
          value={draft.models}
          onChange={(event) => set({ models: event.currentTarget.value })}
        />
        <Field.HelperText>{t('channel-models-help', { total: modelsOf(draft.models).length })}</Field.HelperText>
      </Field.Root>
      <Flex>
        <Button type="submit" loading={isPending}>
          {t('add-channel')}
        </Button>
      </Flex>
    </chakra.form>
  )
}

function VendorSelect({ type, onType }: { readonly type: number; readonly onType: (type: number) => void }): ReactNode {
  const { t } = useTranslation('home')
  const language = rememberedLanguage()
  return (
    <Field.Root>
      <Field.Label>{t('channel-type')}</Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field value={String(type)} onChange={(event) => onType(Number(event.currentTarget.value))}>
          {offered.map((entry) => (
            <option key={entry.type} value={entry.type}>
              {entry.name[language]}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field.Root>
  )
}
