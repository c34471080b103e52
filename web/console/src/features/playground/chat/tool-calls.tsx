import { Box, Button, chakra, Flex, Stack, Text, Textarea } from '@chakra-ui/react'
import { Wrench } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatJson } from '../../../ui/form/json-text.ts'
import type { ToolCall } from './messages.ts'

type ToolCallsProps = {
  readonly calls: readonly ToolCall[]
  /** Undefined: the results were sent, or another answer is arriving. */
  readonly onResults: ((results: readonly string[]) => void) | undefined
}

/** Tool calls that the answer requests, and the results that the reader enters. */
export function ToolCalls({ calls, onResults }: ToolCallsProps): ReactNode {
  const { t } = useTranslation('playground')
  const [results, setResults] = useState<readonly string[]>(() => calls.map(() => ''))
  const canSend = onResults !== undefined && calls.every(({ result }) => result === undefined)
  return (
    <Stack gap="2">
      {calls.map((call, at) => (
        <Box key={at} borderWidth="1px" borderColor="border" borderRadius="control" p="3">
          <Flex align="center" gap="2" color="text.muted" textStyle="sm">
            <Wrench size={14} aria-hidden />
            {t('tool-call')}
            <chakra.code fontFamily="mono" color="text.strong">
              {call.name}
            </chakra.code>
          </Flex>
          <chakra.pre textStyle="mono" mt="2" whiteSpace="pre-wrap" overflowWrap="anywhere">
            {formatJson(call.arguments)}
          </chakra.pre>
          {call.result === undefined ? null : (
            <Text textStyle="sm" mt="2" whiteSpace="pre-wrap" overflowWrap="anywhere">
              {t('tool-result')}: {call.result}
            </Text>
          )}
          {canSend ? (
            <Textarea
              mt="2"
              rows={2}
              textStyle="mono"
              aria-label={`${t('tool-result')} ${call.name} ${at + 1}`}
              placeholder={t('tool-result')}
              value={results[at] ?? ''}
              onChange={(event) => setResults(results.with(at, event.currentTarget.value))}
            />
          ) : null}
        </Box>
      ))}
      {canSend ? (
        <Button
          alignSelf="flex-start"
          size="sm"
          disabled={results.some((result) => result.trim() === '')}
          onClick={() => onResults(results)}
        >
          {t('send-results')}
        </Button>
      ) : null}
    </Stack>
  )
}
