import { Box, Button, chakra, Flex, Grid, Heading, Spinner, Stack, Text } from '@chakra-ui/react'
import { RotateCcw, Undo2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, type ToastAction } from '../../lib/toast.ts'
import { IconButton } from '../display/icon-button.tsx'
import { ToneTag } from '../display/tone-tag.tsx'
import { leaveField } from '../form/form-drawer.tsx'
import { matching } from '../form/pick-list.ts'
import { useResourceForm, type FormProblem, type ResourceForm } from '../form/use-resource-form.ts'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'
import { ChangesList, Conflicts } from './changes-list.tsx'
import {
  areSmall,
  draftsOf,
  nameOf,
  storedValues,
  settingChanges,
  undoing,
  type SaveOutcome,
  type Setting,
  type SettingChange,
  type SettingValue,
  type SettingValues,
} from './setting.ts'
import { SettingControl } from './setting-control.tsx'

/** A section's messages about a save. */
export type SectionTexts = {
  readonly saved: string
  readonly unchanged: string
  readonly invalid: string
  /** The only setting was refused, got no answer, or several were sent and not all are stored. */
  readonly failed: string
  readonly silent: string
  readonly partly: string
}

export type SettingsForm = ResourceForm<SettingValues>

export type SectionProps = {
  readonly title: string
  readonly help?: ReactNode
  readonly note?: ReactNode
  readonly settings: readonly Setting[]
  /** Words that label, key or help of a setting must have. */
  readonly search: string
  readonly texts: SectionTexts
  readonly onSave: (changes: readonly SettingChange[], opened: readonly Setting[]) => Promise<SaveOutcome>
  /** Typed and unsaved values from before the section left the page. */
  readonly drafts?: SettingValues | undefined
  readonly onDrafts?: (drafts: SettingValues | undefined) => void
  /** Rules that look at several settings; for what is about to be saved. */
  readonly problemsOf?: (values: Readonly<SettingValues>, changed: ReadonlySet<string>) => readonly FormProblem<SettingValues>[]
  /** Tests and the like, beside the save button. */
  readonly tools?: ((form: SettingsForm) => ReactNode) | undefined
  /** Stands instead of one input per setting. */
  readonly body?: ((form: SettingsForm, rows: ReactNode, saved: Readonly<SettingValues>) => ReactNode) | undefined
}

type Opened = { readonly times: number; readonly drafts: SettingValues | undefined; readonly outcome: SaveOutcome }

/**
 * Settings that are saved together, after a look at what will change; a small change is saved at once and can be taken back. Values that
 * are stored meanwhile, by a price refresh or another administrator, are shown while nothing is typed.
 */
export function SettingsSection(props: SectionProps): ReactNode {
  // A form compares with what it was opened with: after a save it is opened again, with what could not be saved.
  const [opened, setOpened] = useState<Opened>(() => ({
    times: 0,
    drafts: props.drafts,
    outcome: { refused: [], conflicts: [], settings: props.settings },
  }))
  const reopen = (drafts: SettingValues | undefined, outcome: SaveOutcome): void =>
    setOpened(({ times }) => ({ times: times + 1, drafts, outcome }))
  const typed = useRef<SettingValues | undefined>(undefined)
  const { onDrafts } = props
  const keep = useCallback(
    (drafts: SettingValues | undefined) => {
      typed.current = drafts
      onDrafts?.(drafts)
    },
    [onDrafts],
  )
  const { drafts, outcome } = opened
  const fresh = textOf(props.settings)
  const shown = textOf(outcome.settings)
  useEffect(() => {
    if (fresh !== shown && typed.current === undefined) reopen(undefined, { refused: [], conflicts: [], settings: props.settings })
    // Only new values open the form again, and what was read before a save is older than its outcome.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [fresh])
  return (
    <Section
      key={opened.times}
      {...props}
      settings={outcome.settings}
      drafts={drafts}
      outcome={outcome}
      onDrafts={keep}
      onSaved={reopen}
      onUndone={(undone) => reopen(typed.current, undone)}
    />
  )
}

const textOf = (settings: readonly Setting[]): string => JSON.stringify(storedValues(settings))

type OpenSection = SectionProps & {
  readonly outcome: SaveOutcome
  readonly onSaved: (drafts: SettingValues | undefined, outcome: SaveOutcome) => void
  /** A save was taken back: the section may have been opened again since. */
  readonly onUndone: (outcome: SaveOutcome) => void
}

function Section(props: OpenSection): ReactNode {
  const { settings: opened, search, outcome } = props
  const form = useSectionForm(props)
  const found = new Set(matching(opened.map(searchText), search))
  const shown = opened.filter((setting) => found.has(searchText(setting)))
  // Its title, too, is something to search for.
  const isNamed = matching([props.title], search).length > 0
  if (shown.length === 0 && !isNamed) return null
  const rows = (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} columnGap="8" rowGap="5" alignItems="start">
      {(isNamed ? opened : shown).map((setting) => (
        <SettingRow
          key={setting.key}
          setting={setting}
          form={form}
          refusal={outcome.refused.find(({ key }) => key === setting.key)?.message}
          refused={props.drafts?.[nameOf(setting.key)]}
        />
      ))}
    </Grid>
  )
  return (
    <SectionFrame {...props} form={form}>
      <Conflicts settings={opened} conflicts={outcome.conflicts} />
      {props.body === undefined ? rows : props.body(form, rows, storedValues(opened))}
      <ConfirmDialog
        ask={form.question === undefined ? undefined : { ...form.question, run: () => form.answer(true) }}
        onClose={() => form.answer(false)}
      />
    </SectionFrame>
  )
}

function useSectionForm({
  settings: opened,
  texts,
  onSave,
  onSaved,
  onUndone,
  drafts,
  onDrafts,
  problemsOf,
  outcome,
}: OpenSection): SettingsForm {
  const { t } = useTranslation('display')
  const result = useRef(outcome)
  const undoOf = (changes: readonly SettingChange[]): ToastAction => {
    const { settings } = result.current
    return { label: t('setting.take-back'), run: () => void undo(undoing(opened, changes), settings) }
  }
  const undo = async (changes: readonly SettingChange[], settings: readonly Setting[]): Promise<void> => {
    const undone = await onSave(changes, settings)
    if (undone.refused.length + undone.conflicts.length === 0) toast.success(t('setting.taken-back'))
    else toast.error(texts.failed)
    onUndone(undone)
  }
  const initial = storedValues(opened)
  const form = useResourceForm<SettingValues>({
    initial,
    isNew: false,
    unchanged: texts.unchanged,
    problemsOf: (values) => {
      const changes = settingChanges(opened, values)
      return [
        ...changes.flatMap(({ key, value }) => {
          const problem = opened.find((setting) => setting.key === key)?.problemOf(value)
          if (problem === undefined) return []
          const { line, message } = problem
          return [{ field: nameOf(key), message: line === undefined ? message : t('setting.at-line', { line, message }) }]
        }),
        ...(problemsOf?.(values, new Set(changes.map(({ key }) => key))) ?? []),
      ]
    },
    askBefore: (values) => {
      const changes = settingChanges(opened, values)
      // A value that another administrator has just changed is looked at.
      if (outcome.conflicts.length === 0 && areSmall(opened, changes)) return undefined
      return {
        title: t('setting.preview', { count: changes.length }),
        help: <ChangesList settings={opened} changes={changes} />,
        confirm: t('action.save'),
        isDangerous: false,
      }
    },
    save: async (values) => {
      result.current = await onSave(settingChanges(opened, values), opened)
    },
    onSaved: () => {
      const { refused, conflicts, stale } = result.current
      const open = new Set([...refused, ...conflicts].map(({ key }) => nameOf(key)))
      const values = form.values
      const changes = settingChanges(opened, values)
      const kept = Object.fromEntries(Object.entries(values).filter(([name]) => open.has(name)))
      if (open.size === 0 && stale !== undefined) toast.error(stale)
      else if (open.size === 0) toast.success(texts.saved, areSmall(opened, changes) ? undoOf(changes) : undefined)
      else if (changes.length > 1) toast.error(texts.partly)
      else toast.error(refused.some(({ isSilent }) => isSilent) ? texts.silent : texts.failed)
      onDrafts?.(open.size === 0 ? undefined : kept)
      onSaved(open.size === 0 ? undefined : kept, result.current)
    },
  })
  const { set, values } = form
  const [restored] = useState(drafts)
  const isRestored = useRef(false)
  useEffect(() => {
    if (restored !== undefined && !isRestored.current) set(restored)
    isRestored.current = true
  }, [restored, set])
  useEffect(() => {
    onDrafts?.(draftsOf(opened, values))
  }, [onDrafts, opened, values])
  return form
}

const searchText = ({ key, label, help }: Setting): string => `${label} ${key} ${help}`

type FrameProps = OpenSection & { readonly form: SettingsForm; readonly children: ReactNode }

function SectionFrame({ title, help, note, settings, texts, tools, form, children }: FrameProps): ReactNode {
  const { t } = useTranslation('display')
  const element = useRef<HTMLFormElement>(null)
  const count = settingChanges(settings, form.values).length
  const told = useRef(0)
  useEffect(() => {
    if (form.tries === told.current) return
    told.current = form.tries
    if (form.problemCount > 0) toast.error(texts.invalid)
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.tries, form.problemCount, texts.invalid])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (event.target !== event.currentTarget) return
    if (count === 0) toast.warning(texts.unchanged)
    else if (!form.submit()) toast.error(t('form.submit-twice'))
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
      minW="0"
    >
      <Flex px="4" py="2.5" gap="3" align="center" justify="space-between" borderBottomWidth="1px" borderColor="border" minH="12">
        <Box minW="0">
          <Heading as="h2" textStyle="section" color="text.strong">
            {title}
          </Heading>
          {help === undefined ? null : (
            <Box textStyle="xs" color="text.muted">
              {help}
            </Box>
          )}
        </Box>
        <ResetSection settings={settings} form={form} title={title} />
      </Flex>
      <Stack gap="5" px="4" py="4">
        {note}
        {children}
      </Stack>
      <Flex px="4" py="2.5" gap="3" align="center" justify="flex-end" wrap="wrap" borderTopWidth="1px" borderColor="border" minH="13">
        {problem === undefined ? null : (
          <Text role="alert" color="danger.fg" me="auto">
            {problem}
          </Text>
        )}
        {tools?.(form)}
        <Button type="submit" variant={count === 0 ? 'outline' : 'solid'} aria-busy={form.isBusy}>
          {form.isBusy ? <Spinner size="sm" /> : null}
          {count === 0 ? t('action.save') : t('setting.save', { count })}
        </Button>
      </Flex>
    </chakra.form>
  )
}

/** Puts the defaults into every field that has another value; a save follows as for any change. */
function ResetSection({
  settings,
  form,
  title,
}: {
  readonly settings: readonly Setting[]
  readonly form: SettingsForm
  readonly title: string
}) {
  const { t } = useTranslation('display')
  const other = settings.filter(({ key, isSecret, defaultValue }) => !isSecret && form.values[nameOf(key)] !== defaultValue)
  if (other.length === 0) return null
  return (
    <Button
      type="button"
      size="xs"
      variant="ghost"
      flexShrink="0"
      aria-label={`${t('setting.reset-all', { count: other.length })}: ${title}`}
      onClick={() => form.set(Object.fromEntries(other.map(({ key, defaultValue }) => [nameOf(key), defaultValue])))}
    >
      <RotateCcw />
      {t('setting.reset-all', { count: other.length })}
    </Button>
  )
}

type RowProps = {
  readonly setting: Setting
  readonly form: SettingsForm
  /** Refusal of a value by the server, and that value. */
  readonly refusal: string | undefined
  readonly refused: SettingValue | undefined
}

function SettingRow({ setting, form, refusal, refused }: RowProps): ReactNode {
  const bound = form.field(nameOf(setting.key))
  // The server's error counts until the value changes.
  const error = bound.error ?? (refusal !== undefined && bound.value === refused ? refusal : undefined)
  return (
    <Box minW="0" {...(isWide(setting) ? { gridColumn: '1 / -1' } : {})}>
      <SettingControl setting={setting} bound={{ ...bound, error }} />
      {setting.warning !== undefined && bound.value !== setting.value ? (
        <Text textStyle="sm" color="warning.fg" mt="1" role="status">
          {setting.warning}
        </Text>
      ) : null}
      <RowFacts setting={setting} value={bound.value} onValue={bound.onValue} />
    </Box>
  )
}

/** Long texts take the whole line. */
const isWide = ({ kind, markup, value }: Setting): boolean =>
  markup !== undefined || kind === 'csv' || (kind === 'json' && value.length > 200)

type FactsProps = { readonly setting: Setting; readonly value: SettingValue; readonly onValue: (value: SettingValue) => void }

function RowFacts({ setting, value, onValue }: FactsProps): ReactNode {
  const { t } = useTranslation('display')
  const isTyped = setting.isSecret ? value !== '' : value !== setting.value
  const isOther = !setting.isSecret && value !== setting.defaultValue
  const shownDefault =
    setting.defaultValue.length > 80 || setting.defaultValue === '' ? '' : t('setting.default', { value: setting.defaultValue })
  return (
    <Flex gap="2" align="center" mt="1" wrap="wrap" textStyle="xs" color="text.muted" minH="6">
      <chakra.span fontFamily="mono" overflowWrap="anywhere">
        {setting.key}
      </chakra.span>
      {isTyped ? <ToneTag tone="orange">{t('setting.unsaved')}</ToneTag> : null}
      {setting.withoutEffect === undefined ? null : (
        <>
          <ToneTag tone="grey">{t('setting.without-effect')}</ToneTag>
          <span>{setting.withoutEffect}</span>
        </>
      )}
      {isOther ? <ToneTag tone="blue">{t('setting.changed')}</ToneTag> : null}
      {setting.changed === '' ? null : <span>{setting.changed}</span>}
      {isOther && shownDefault !== '' ? <span>{shownDefault}</span> : null}
      {isTyped ? (
        <IconButton
          type="button"
          size="xs"
          label={t('setting.undo', { label: setting.label })}
          onClick={() => onValue(setting.isSecret ? '' : setting.value)}
        >
          <Undo2 />
        </IconButton>
      ) : null}
      {isOther ? (
        <IconButton
          type="button"
          size="xs"
          label={t('setting.reset', { label: setting.label })}
          onClick={() => onValue(setting.defaultValue)}
        >
          <RotateCcw />
        </IconButton>
      ) : null}
    </Flex>
  )
}
