import { Button } from '@chakra-ui/react'
import { parseParamOverride } from '@tollgate/domain/param-override/parse'
import { placeIn } from '@tollgate/domain/param-override/place-in'
import { FlaskConical } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditorProblem } from '../../../ui/editor/editor.ts'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { isRecord, readJson } from '../../../ui/form/json-text.ts'
import type { FieldsProps } from '../form/field-props.ts'
import { OverrideTester } from './override-tester.tsx'

/** Changes to the body of calls, with the first operation that cannot be read marked at its line, and a sample call. */
export function OverrideField({ form }: Pick<FieldsProps, 'form'>): ReactNode {
  const { t } = useTranslation(['param-override', 'channels'])
  const [isTesting, setTesting] = useState(false)
  const shapeProblem = useCallback(
    (text: string): EditorProblem | undefined => {
      const reading = readJson(text)
      const [first] = reading.kind === 'value' && isRecord(reading.value) ? parseParamOverride(reading.value).faults : []
      return first === undefined ? undefined : { ...placeIn(text, first.path), message: t(`fault.${first.fault}`) }
    },
    [t],
  )
  return (
    <>
      <JsonField
        label={t('channels:field.param-override')}
        help={t('help')}
        placeholder={'{\n  "temperature": 0\n}'}
        shapeProblem={shapeProblem}
        {...form.field('param_override')}
      />
      <Button
        type="button"
        size="sm"
        variant="outline"
        alignSelf="flex-start"
        aria-expanded={isTesting}
        onClick={() => setTesting(!isTesting)}
      >
        <FlaskConical />
        {t('try')}
      </Button>
      {isTesting ? <OverrideTester values={form.values} /> : null}
    </>
  )
}
