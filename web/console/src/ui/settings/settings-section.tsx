import { Box, Button, chakra, Flex, Heading, Spinner, Stack, Text } from '@chakra-ui/react'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../display/icon-button.tsx'
import { ToneTag } from '../display/tone-tag.tsx'
import { leaveField } from '../form/form-drawer.tsx'
import { useLeaveGuard } from '../form/leave-guard.tsx'
import { matching } from '../form/pick-list.ts'
import { useResourceForm, type ResourceForm } from '../form/use-resource-form.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { differencesOf, nameOf, settingChanges, type Setting, type SettingChange, type SettingValue } from './setting.ts'
import { SettingControl } from './setting-control.tsx'

type SectionProps = {
  readonly title: string
  readonly settings: readonly Setting[]
  /** Words that label, key or help of a setting must have. */
  readonly search: string
  /** Sends the changes; a refusal names the key in `ApiError.failure.field`. */
  readonly onSave: (changes: readonly SettingChange[]) => Promise<void>
}

type Values = Record<string, SettingValue>

/** Settings that are saved together, after a look at what will change. */
export function SettingsSection(props: SectionProps): ReactNode {
  // A form compares with what it was opened with: after a save it is opened again.
  const [saves, setSaves] = useState(0)
  return <Section key={saves} {...props} onSaved={() => setSaves(saves + 1)} />
}

function Section({ title, settings, search, onSave, onSaved }: SectionProps & { readonly onSaved: () => void }): ReactNode {
  const { t } = useTranslation('display')
  const [opened] = useState(settings)
  const form = useResourceForm<Values>({
    initial: Object.fromEntries(opened.map(({ key, isSecret, value }) => [nameOf(key), isSecret ? '' : value])),
    isNew: false,
    serverFields: Object.fromEntries(opened.map(({ key }) => [key, nameOf(key)])),
    problemsOf: (values) =>
      settingChanges(opened, values).flatMap(({ key, value }) => {
        const message = opened.find((setting) => setting.key === key)?.problemOf(value)
        return message === undefined ? [] : [{ field: nameOf(key), message }]
      }),
    askBefore: (values) => ({
      title: t('setting.preview', { count: settingChanges(opened, values).length }),
      help: <Preview settings={opened} changes={settingChanges(opened, values)} />,
      confirm: t('action.save'),
      isDangerous: false,
    }),
    save: (values) => onSave(settingChanges(opened, values)),
    onSaved: () => {
      toast.success(t('setting.saved'))
      onSaved()
    },
  })
  const { leaving } = useLeaveGuard(form)
  const found = new Set(matching(opened.map(searchText), search))
  const shown = opened.filter((setting) => found.has(searchText(setting)))
  if (shown.length === 0) return null
  return (
    <SectionForm title={title} form={form} count={settingChanges(opened, form.values).length}>
      {shown.map((setting) => (
        <SettingRow key={setting.key} setting={setting} form={form} />
      ))}
      <ConfirmDialog
        ask={form.question === undefined ? undefined : { ...form.question, run: () => form.answer(true) }}
        onClose={() => form.answer(false)}
      />
      {leaving}
    </SectionForm>
  )
}

const searchText = ({ key, label, help }: Setting): string => `${label} ${key} ${help}`

type FormProps = { readonly title: string; readonly form: ResourceForm<Values>; readonly count: number; readonly children: ReactNode }

function SectionForm({ title, form, count, children }: FormProps): ReactNode {
  const { t } = useTranslation('display')
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.tries > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.tries])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (event.target !== event.currentTarget || !form.isDirty) return
    if (!form.submit()) toast.error(t('form.submit-twice'))
  }
  const problem = form.problemCount > 0 ? t('form.errors', { count: form.problemCount }) : form.failure
  return (
    <chakra.form
      ref={element}
      noValidate
      aria-label={title}
      onSubmit={submit}
      onBlur={(event) => leaveField(event, form)}
      bg="panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
    >
      <Heading as="h2" textStyle="section" color="text.strong" px="4" py="3" borderBottomWidth="1px" borderColor="border">
        {title}
      </Heading>
      <Stack gap="5" px="4" py="4" maxW="3xl">
        {children}
      </Stack>
      <Flex px="4" py="2.5" gap="3" align="center" justify="flex-end" borderTopWidth="1px" borderColor="border" minH="13">
        {problem === undefined ? null : (
          <Text role="alert" color="danger.fg" me="auto">
            {problem}
          </Text>
        )}
        <Button type="submit" disabled={count === 0} aria-busy={form.isBusy}>
          {form.isBusy ? <Spinner size="sm" /> : null}
          {count === 0 ? t('action.save') : t('setting.save', { count })}
        </Button>
      </Flex>
    </chakra.form>
  )
}

function SettingRow({ setting, form }: { readonly setting: Setting; readonly form: ResourceForm<Values> }): ReactNode {
  const { t } = useTranslation('display')
  const bound = form.field(nameOf(setting.key))
  const isChanged = !setting.isSecret && bound.value !== setting.defaultValue
  const shownDefault =
    setting.defaultValue.length > 80 || setting.defaultValue === '' ? '' : t('setting.default', { value: setting.defaultValue })
  return (
    <Box position="relative">
      <SettingControl setting={setting} bound={bound} />
      <Flex gap="2" align="center" mt="1" wrap="wrap" textStyle="xs" color="text.muted">
        <chakra.span fontFamily="mono">{setting.key}</chakra.span>
        {isChanged ? <ToneTag tone="blue">{t('setting.changed')}</ToneTag> : null}
        {setting.changed === '' ? null : <span>{setting.changed}</span>}
        {isChanged ? (
          <>
            {shownDefault === '' ? null : <span>{shownDefault}</span>}
            <IconButton
              type="button"
              size="xs"
              label={t('setting.reset', { label: setting.label })}
              onClick={() => bound.onValue(setting.defaultValue)}
            >
              <RotateCcw />
            </IconButton>
          </>
        ) : null}
      </Flex>
    </Box>
  )
}

/** What a save will change, line by line. */
function Preview({ settings, changes }: { readonly settings: readonly Setting[]; readonly changes: readonly SettingChange[] }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Stack as="ul" listStyleType="none" gap="3" maxH="50vh" overflowY="auto">
      {changes.map(({ key, value }) => {
        const setting = settings.find((one) => one.key === key)
        const secret = [
          {
            name: '',
            before: t(setting?.isSet === true ? 'form.secret-set' : 'form.secret-unset'),
            after: t(value === '' ? 'setting.removed' : 'setting.replaced'),
          },
        ]
        const lines = setting?.isSecret === true ? secret : differencesOf(setting?.value ?? '', value)
        return (
          <li key={key}>
            <Text fontWeight="medium" color="text.strong">
              {setting?.label}
            </Text>
            {lines.map((line) => (
              <Text key={line.name} fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
                {line.name === '' ? '' : `${line.name}: `}
                <chakra.del color="danger.fg">{line.before === '' ? t('setting.empty') : line.before}</chakra.del>
                {' → '}
                <chakra.ins color="success.fg" textDecoration="none">
                  {line.after === '' ? t('setting.empty') : line.after}
                </chakra.ins>
              </Text>
            ))}
          </li>
        )
      })}
    </Stack>
  )
}
