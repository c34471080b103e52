import { chakra, Input } from '@chakra-ui/react'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { parseTimeText, timeText } from '@tollgate/domain/display/time-text'
import { CalendarClock } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../display/icon-button.tsx'
import { TextField, type Preset } from './text-field.tsx'
import type { Bound } from './use-resource-form.ts'

type TimeBoxProps = {
  readonly label: string
  readonly value: UnixSeconds | undefined
  readonly onValue: (value: UnixSeconds | undefined) => void
}

/** A moment outside of a form: typed, or picked; it takes effect on Enter and on leaving. An empty one is open. */
export function TimeBox({ label, value, onValue }: TimeBoxProps): ReactNode {
  const { t } = useTranslation('display')
  const shown = value === undefined ? '' : timeText(value)
  const [draft, setDraft] = useState(shown)
  const commit = (): void => {
    if (draft.trim() === shown) return
    const parsed = parseTimeText(draft)
    if (draft.trim() !== '' && parsed === undefined) toast.error(t('time.error'))
    else onValue(parsed)
  }
  return (
    <chakra.span position="relative" display="inline-flex" width={{ base: 'full', sm: '12.5rem' }}>
      <Input
        pe="9"
        fontVariantNumeric="tabular-nums"
        aria-label={label}
        placeholder={label}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => (event.key === 'Enter' ? commit() : undefined)}
      />
      <chakra.span position="absolute" insetEnd="1" top="0" bottom="0" display="inline-flex" alignItems="center">
        <TimePick text={draft} onPick={(text) => onValue(parseTimeText(text))} />
      </chakra.span>
    </chakra.span>
  )
}

type TimeFieldProps = Bound<string> & {
  readonly label: string
  readonly help?: string | undefined
  readonly placeholder?: string
  readonly presets?: readonly Preset[]
}

/** A moment in a form: typed, picked, or one of the presets. */
export function TimeField({ value, onValue, ...rest }: TimeFieldProps): ReactNode {
  return (
    <TextField
      {...rest}
      value={value}
      onValue={onValue}
      autoComplete="off"
      fontVariantNumeric="tabular-nums"
      unit={<TimePick text={value} onPick={onValue} />}
    />
  )
}

/** A button that opens the browser's own calendar and clock, which follow the reader's system, language and theme. */
function TimePick({ text, onPick }: { readonly text: string; readonly onPick: (text: string) => void }): ReactNode {
  const { t } = useTranslation('display')
  const box = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton type="button" size="xs" label={t('time.pick')} onClick={() => box.current?.showPicker()}>
        <CalendarClock />
      </IconButton>
      <chakra.input
        ref={box}
        type="datetime-local"
        step="1"
        tabIndex={-1}
        aria-hidden
        position="absolute"
        insetEnd="0"
        bottom="0"
        boxSize="px"
        opacity="0"
        pointerEvents="none"
        value={parseTimeText(text) === undefined ? '' : text.replace(' ', 'T')}
        onChange={(event) => onPick(toText(event.currentTarget.value))}
      />
    </>
  )
}

/** The browser leaves out seconds that are zero. */
function toText(picked: string): string {
  const text = picked.replace('T', ' ')
  return text.length === 'yyyy-mm-dd hh:mm'.length ? `${text}:00` : text
}
