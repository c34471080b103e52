import { Button } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditorProblem } from '../../../ui/editor/editor.ts'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { readJson } from '../../../ui/form/json-text.ts'
import type { PlaygroundSettings } from './settings.ts'

type ToolsFieldsProps = { readonly settings: PlaygroundSettings; readonly set: (change: Partial<PlaygroundSettings>) => void }

const TOOLS_EXAMPLE = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Current weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const SCHEMA_EXAMPLE = {
  type: 'object',
  properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['title', 'tags'],
  additionalProperties: false,
}

/** Tools that the answer may call, and the schema that it must have. */
export function ToolsFields({ settings, set }: ToolsFieldsProps): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <>
      <JsonField
        label={t('tools')}
        help={t('tools-help')}
        value={settings.tools}
        onValue={(tools) => set({ tools })}
        shapeProblem={(text) => shapeProblem(text, Array.isArray, t('tools-list'))}
      />
      <ExampleButton isShown={settings.tools.trim() === ''} onPut={() => set({ tools: JSON.stringify(TOOLS_EXAMPLE, null, 2) })} />
      <JsonField
        label={t('schema')}
        help={t('schema-help')}
        value={settings.schema}
        onValue={(schema) => set({ schema })}
        shapeProblem={(text) => shapeProblem(text, isObject, t('schema-object'))}
      />
      <ExampleButton isShown={settings.schema.trim() === ''} onPut={() => set({ schema: JSON.stringify(SCHEMA_EXAMPLE, null, 2) })} />
    </>
  )
}

function ExampleButton({ isShown, onPut }: { readonly isShown: boolean; readonly onPut: () => void }): ReactNode {
  const { t } = useTranslation('playground')
  if (!isShown) return null
  return (
    <Button type="button" size="xs" variant="outline" alignSelf="flex-start" onClick={onPut}>
      {t('put-example')}
    </Button>
  )
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function shapeProblem(text: string, isRight: (value: unknown) => boolean, message: string): EditorProblem | undefined {
  if (text.trim() === '') return undefined
  const reading = readJson(text)
  return reading.kind === 'value' && !isRight(reading.value) ? { line: 1, message } : undefined
}
