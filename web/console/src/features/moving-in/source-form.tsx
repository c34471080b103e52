import { Button, chakra, Flex, RadioGroup, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { IMPORT_KIND_TEXTS } from '@tollgate/contracts/moving-in/texts'
import { IMPORT_KINDS, type ImportKind } from '@tollgate/contracts/moving-in/records'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Guarded } from '../../lib/guarded.ts'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { FileRow } from '../../ui/form/file-button.tsx'
import { FoldSection } from '../../ui/form/fold-section.tsx'
import { ChoiceField, LabelledField, SwitchField } from '../../ui/form/labelled-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { startDryRun, useImportAction, type Wanted } from './api.ts'
import { useTextLanguage } from './text-language.ts'

const MERGES = ['none', 'rename', 'join'] as const
type Merge = (typeof MERGES)[number]

type Values = {
  readonly place: 'address' | 'file'
  readonly address: string
  readonly file: File | undefined
  readonly kinds: readonly ImportKind[]
  readonly days: string
  readonly merge: Merge
  readonly name: string
  readonly dollars: string
}
const FIRST: Values = {
  place: 'address',
  address: '',
  file: undefined,
  kinds: IMPORT_KINDS,
  days: '0',
  merge: 'none',
  name: '',
  dollars: '0',
}
type Problems = Partial<Record<'from' | 'days' | 'merge' | 'dollars', string>>

/** Where the data is and what of it is wanted; its button starts a dry run. */
export function SourceForm({ guarded, isInUse }: { readonly guarded: Guarded; readonly isInUse: boolean }): ReactNode {
  const { t } = useTranslation('moving-in')
  const [values, setValues] = useState(FIRST)
  const [problems, setProblems] = useState<Problems>({})
  const start = useImportAction((wanted: Wanted) => guarded(() => startDryRun(wanted)))
  const set = (change: Partial<Values>): void => setValues({ ...values, ...change })

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const from = values.place === 'file' ? values.file : values.address.trim()
    const found: Problems = {
      ...(from === undefined || from === '' ? { from: t(values.place === 'file' ? 'form.missing-file' : 'form.missing') } : {}),
      ...(/^\d{1,5}$/.test(values.days) && Number(values.days) <= 36_500 ? {} : { days: t('form.log-days-bad') }),
      ...(isInUse && values.merge === 'none' ? { merge: t('form.merge-missing') } : {}),
      ...(isDollars(values.dollars) ? {} : { dollars: t('form.unlimited-bad') }),
    }
    setProblems(found)
    if (from === undefined || Object.keys(found).length > 0 || start.isPending) return
    start.mutate({
      from,
      name: values.name.trim(),
      only: values.kinds.length === IMPORT_KINDS.length ? [] : [...values.kinds],
      log_days: Number(values.days),
      merge: values.merge,
      unlimited_as: Number(values.dollars),
    })
  }
  return (
    <Panel title={t('form.title')} help={t('form.help')}>
      <chakra.form noValidate onSubmit={submit} maxW="44rem">
        <Stack gap="5">
          <Place values={values} set={set} problem={problems.from} />
          <Kinds kinds={values.kinds} onKinds={(kinds) => set({ kinds })} />
          <TextField
            label={t('form.log-days')}
            help={t('form.log-days-help')}
            inputMode="numeric"
            maxW="10rem"
            value={values.days}
            onValue={(days) => set({ days })}
            error={problems.days}
          />
          {isInUse ? (
            <ChoiceField
              label={t('form.merge')}
              help={t('form.merge-help')}
              choices={MERGES.map((value) => ({ value, label: t(`form.merge-choice.${value}`) }))}
              value={values.merge}
              onValue={(chosen) => set({ merge: MERGES.find((one) => one === chosen) ?? 'none' })}
              {...(problems.merge === undefined ? {} : { error: problems.merge })}
            />
          ) : null}
          <More values={values} set={set} problem={problems.dollars} />
          <Flex gap="3" align="center" wrap="wrap">
            <Button type="submit" loading={start.isPending} disabled={values.kinds.length === 0}>
              {t('form.submit')}
            </Button>
            {start.isPending && values.place === 'file' ? (
              <Text role="status" textStyle="sm" color="text.muted">
                {t('form.sending')}
              </Text>
            ) : null}
          </Flex>
        </Stack>
      </chakra.form>
    </Panel>
  )
}

const isDollars = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1_000_000

type PlaceProps = {
  readonly values: Values
  readonly set: (change: Partial<Values>) => void
  readonly problem: string | undefined
}

function Place({ values, set, problem }: PlaceProps): ReactNode {
  const { t } = useTranslation('moving-in')
  const [isShown, setShown] = useState(false)
  return (
    <>
      <RadioGroup.Root
        aria-label={t('form.kind')}
        value={values.place}
        onValueChange={({ value }) => set({ place: value === 'file' ? 'file' : 'address' })}
      >
        <Flex gap="5" wrap="wrap">
          {(['address', 'file'] as const).map((value) => (
            <RadioGroup.Item key={value} value={value}>
              <RadioGroup.ItemHiddenInput />
              <RadioGroup.ItemIndicator />
              <RadioGroup.ItemText>{t(`form.${value}`)}</RadioGroup.ItemText>
            </RadioGroup.Item>
          ))}
        </Flex>
      </RadioGroup.Root>
      {values.place === 'address' ? (
        <Stack gap="2">
          <TextField
            label={t('form.address')}
            help={t('form.address-help')}
            fontFamily="mono"
            // It holds a password.
            type={isShown ? 'text' : 'password'}
            autoComplete="new-password"
            spellCheck={false}
            placeholder="mysql://reader:password@10.0.0.5:3306/newapi"
            value={values.address}
            onValue={(address) => set({ address })}
            error={problem}
          />
          <SwitchField label={t('form.show')} value={isShown} onValue={setShown} />
        </Stack>
      ) : (
        <LabelledField label={t('form.file')} help={t('form.file-help')} {...(problem === undefined ? {} : { error: problem })}>
          <FileRow
            label={t('form.file')}
            text={t('form.choose')}
            accept=".db,.sqlite,.sqlite3,.yaml,.yml"
            chosen={values.file?.name ?? t('form.no-file')}
            onFile={(file) => set({ file })}
          />
        </LabelledField>
      )}
    </>
  )
}

/** Fields that an import of one source from new-api or one-api leaves as they are. */
function More({ values, set, problem }: PlaceProps): ReactNode {
  const { t } = useTranslation('moving-in')
  return (
    <FoldSection title={t('form.more')} help={t('form.more-help')} isNeeded={problem !== undefined}>
      <TextField label={t('form.name')} help={t('form.name-help')} maxLength={64} value={values.name} onValue={(name) => set({ name })} />
      <TextField
        label={t('form.unlimited')}
        help={t('form.unlimited-help')}
        inputMode="decimal"
        unit="USD"
        value={values.dollars}
        onValue={(dollars) => set({ dollars })}
        error={problem}
      />
    </FoldSection>
  )
}

type KindsProps = { readonly kinds: readonly ImportKind[]; readonly onKinds: (kinds: readonly ImportKind[]) => void }

function Kinds({ kinds, onKinds }: KindsProps): ReactNode {
  const { t } = useTranslation('moving-in')
  const language = useTextLanguage()
  return (
    <chakra.fieldset minW="0">
      <chakra.legend fontWeight="medium" color="text.strong" mb="2">
        {t('form.kinds')}
      </chakra.legend>
      <SimpleGrid columns={{ base: 2, sm: 3, md: 4 }} gap="2">
        {IMPORT_KINDS.map((kind) => (
          <chakra.label key={kind} display="flex" gap="2" alignItems="center" cursor="pointer">
            <CheckBox
              label={IMPORT_KIND_TEXTS[kind][language]}
              isChecked={kinds.includes(kind)}
              onChange={() => onKinds(IMPORT_KINDS.filter((one) => (one === kind ? !kinds.includes(kind) : kinds.includes(one))))}
            />
            <span>{IMPORT_KIND_TEXTS[kind][language]}</span>
          </chakra.label>
        ))}
      </SimpleGrid>
    </chakra.fieldset>
  )
}
