import { Button } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditorProps } from '../editor/editor.ts'
import { JsonEditor, useSyntaxProblem, type ShapeRule } from '../editor/json-editor.tsx'
import { formatJson, holdsNumbers, readPairs, writePairs } from './json-text.ts'
import { LabelledField } from './labelled-field.tsx'
import { TextRows } from './text-rows.tsx'

type JsonFieldProps = {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly help: string
  readonly error?: string | undefined
  readonly field?: string
  readonly placeholder?: string
  /** A map of text to text can be edited as rows; names of the two columns. */
  readonly pairs?: { readonly key: string; readonly value: string; readonly isNumeric?: boolean } | undefined
  /** Rule for the text besides JSON; a problem is marked at its line. */
  readonly shapeProblem?: ShapeRule | undefined
  readonly lines?: EditorProps['lines']
}

/** JSON text with its first mistake named by line, formatting, and rows of key and value where the shape is a map. */
export function JsonField(props: JsonFieldProps): ReactNode {
  const { label, value, onValue, help, error, field, placeholder, pairs, shapeProblem, lines } = props
  const { t } = useTranslation('display')
  const syntaxProblem = useSyntaxProblem()
  // Rows hold texts; what was a map of numbers stays one.
  const [isNumeric] = useState(() => pairs?.isNumeric ?? holdsNumbers(value))
  const [isAsText, setAsText] = useState(pairs === undefined || readPairs(value) === undefined)
  const rows = pairs === undefined ? undefined : readPairs(value)
  const isText = isAsText || rows === undefined
  const problem = syntaxProblem(value)
  const told =
    problem === undefined ? undefined : t('json.error-at', { line: problem.line, column: problem.column, reason: problem.message })
  return (
    <LabelledField
      label={label}
      {...(field === undefined ? {} : { field })}
      help={help}
      error={error === undefined ? told : told === undefined ? error : <Two first={error} second={told} />}
      aside={
        <>
          {isText ? (
            <Button
              type="button"
              size="xs"
              variant="ghost"
              disabled={value.trim() === '' || problem !== undefined}
              onClick={() => onValue(formatJson(value))}
            >
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
        <JsonEditor {...{ label, value, onValue, placeholder, shapeProblem }} {...(lines === undefined ? {} : { lines })} />
      ) : (
        <TextRows
          columns={[{ name: pairs?.key ?? '' }, { name: pairs?.value ?? '' }]}
          separator="→"
          value={value}
          rows={rows}
          onRows={(next) => {
            const text = writePairs(
              next.map(([key = '', paired = '']) => [key, paired] as const),
              isNumeric,
            )
            onValue(text)
            return text
          }}
        />
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
