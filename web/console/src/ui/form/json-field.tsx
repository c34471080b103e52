import { Button, chakra, Input, Textarea } from '@chakra-ui/react'
import { Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../display/icon-button.tsx'
import { formatJson, readJson, readPairs, writePairs } from './json-text.ts'
import { LabelledField } from './labelled-field.tsx'

type JsonFieldProps = {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly help: string
  readonly error?: string | undefined
  readonly field?: string
  readonly placeholder?: string
  /** A map of text to text can be edited as rows; names of the two columns. */
  readonly pairs?: { readonly key: string; readonly value: string }
}

/** JSON text with its first mistake named by line, formatting, and rows of key and value where the shape is a map. */
export function JsonField({ label, value, onValue, help, error, field, placeholder, pairs }: JsonFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const [isAsText, setAsText] = useState(pairs === undefined || readPairs(value) === undefined)
  const rows = pairs === undefined ? undefined : readPairs(value)
  const isText = isAsText || rows === undefined
  const reading = value.trim() === '' ? undefined : readJson(value)
  const problem = reading?.kind === 'problem' ? t('json.error-at', reading.problem) : undefined
  return (
    <LabelledField
      label={label}
      {...(field === undefined ? {} : { field })}
      help={help}
      error={error === undefined ? problem : problem === undefined ? error : <Two first={error} second={problem} />}
      aside={
        <>
          {isText ? (
            <Button type="button" size="xs" variant="ghost" disabled={reading?.kind !== 'value'} onClick={() => onValue(formatJson(value))}>
              {t('json.format')}
            </Button>
          ) : null}
          {pairs === undefined ? null : (
            <Button type="button" size="xs" variant="ghost" disabled={rows === undefined} onClick={() => setAsText(!isText)}>
              {t(isText ? 'json.pairs' : 'json.text')}
            </Button>
          )}
        </>
      }
    >
      {isText ? (
        <Textarea
          value={value}
          onChange={(event) => onValue(event.target.value)}
          rows={Math.min(12, Math.max(3, value.split('\n').length))}
          fontFamily="mono"
          textStyle="xs"
          spellCheck={false}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      ) : (
        <PairRows key={isText ? 'text' : 'rows'} initial={rows} names={pairs ?? { key: '', value: '' }} onChange={onValue} />
      )}
    </LabelledField>
  )
}

function Two({ first, second }: { first: string; second: string }): ReactNode {
  return (
    <>
      <span>{first}</span> <span>{second}</span>
    </>
  )
}

type Pair = readonly [string, string]

function PairRows({
  initial,
  names,
  onChange,
}: {
  initial: readonly Pair[]
  names: { key: string; value: string }
  onChange: (text: string) => void
}): ReactNode {
  const { t } = useTranslation('display')
  // Rows that have no key yet live here only: the JSON cannot hold them.
  const [pairs, setPairs] = useState(initial)
  const change = (next: readonly Pair[]): void => {
    setPairs(next)
    onChange(writePairs(next))
  }
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" width="full">
      {pairs.map(([key, value], index) => (
        <chakra.div key={index} display="flex" gap="1.5" alignItems="center">
          <Input
            aria-label={names.key}
            placeholder={names.key}
            fontFamily="mono"
            value={key}
            onChange={(event) => change(pairs.with(index, [event.target.value, value]))}
          />
          <chakra.span color="text.muted" aria-hidden>
            →
          </chakra.span>
          <Input
            aria-label={names.value}
            placeholder={names.value}
            fontFamily="mono"
            value={value}
            onChange={(event) => change(pairs.with(index, [key, event.target.value]))}
          />
          <IconButton type="button" size="sm" label={t('json.remove-pair', { key })} onClick={() => change(pairs.toSpliced(index, 1))}>
            <X />
          </IconButton>
        </chakra.div>
      ))}
      <Button type="button" size="sm" variant="outline" alignSelf="flex-start" onClick={() => setPairs([...pairs, ['', '']])}>
        <Plus />
        {t('json.add-pair')}
      </Button>
    </chakra.div>
  )
}
