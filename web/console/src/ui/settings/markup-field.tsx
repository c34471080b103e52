import { Box, Button, Grid } from '@chakra-ui/react'
import { lazy, Suspense, useDeferredValue, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MarkdownEditor } from '../editor/markdown-editor.tsx'
import { LabelledField } from '../form/labelled-field.tsx'
import type { Bound } from '../form/use-resource-form.ts'

const OperatorMarkup = lazy(async () => ({ default: (await import('../display/operator-markup.tsx')).OperatorMarkup }))

type MarkupFieldProps = Bound<string> & {
  readonly label: string
  readonly help: string
  readonly markup: 'markdown' | 'html'
}

/** A text that visitors see as a page, with what they will see beside it. */
export function MarkupField({ label, help, markup, value, onValue, error, field }: MarkupFieldProps): ReactNode {
  const { t } = useTranslation('display')
  const [isShown, setShown] = useState(true)
  const shown = useDeferredValue(value)
  return (
    <LabelledField
      label={label}
      help={help}
      error={error}
      field={field}
      aside={
        <Button type="button" size="xs" variant="ghost" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t(isShown ? 'setting.hide-preview' : 'setting.show-preview')}
        </Button>
      }
    >
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: isShown ? 'minmax(0, 1fr) minmax(0, 1fr)' : 'minmax(0, 1fr)' }} gap="3" w="full">
        <MarkdownEditor label={label} value={value} onValue={onValue} lines={{ min: 6, max: 18 }} />
        {isShown ? (
          <Box
            role="region"
            aria-label={t('setting.preview-of', { label })}
            tabIndex={0}
            borderWidth="1px"
            borderColor="border"
            borderRadius="control"
            px="3"
            py="2"
            maxH="24rem"
            overflow="auto"
            focusVisibleRing="inside"
          >
            {shown.trim() === '' ? (
              <Box color="text.muted">{t('setting.empty')}</Box>
            ) : (
              <Suspense fallback={null}>
                <OperatorMarkup text={shown} markup={markup} />
              </Suspense>
            )}
          </Box>
        ) : null}
      </Grid>
    </LabelledField>
  )
}
