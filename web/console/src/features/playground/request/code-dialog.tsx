import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../../lib/client-address.ts'
import { useSiteStatus } from '../../../lib/status.ts'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { Select } from '../../../ui/form/select-field.tsx'
import type { ChatMessage } from '../chat/messages.ts'
import { API_FORMATS, codeOf, LANGUAGES, type CodeFormat, type CodeLanguage } from './request-code.ts'
import { toApplicationBody } from './request-body.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'
import { InfoDialog } from '../../../ui/overlay/info-dialog.tsx'

type CodeDialogProps = { readonly messages: readonly ChatMessage[]; readonly settings: PlaygroundSettings; readonly onClose: () => void }

const FORMAT_NAMES: Readonly<Record<CodeFormat, string>> = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini' }
const LANGUAGE_NAMES: Readonly<Record<CodeLanguage, string>> = { curl: 'curl', python: 'Python', node: 'Node', go: 'Go' }

/** How an application sends this conversation. The playground has no key, so the reader puts in one of theirs. */
export function CodeDialog({ messages, settings, onClose }: CodeDialogProps): ReactNode {
  const { t } = useTranslation(['playground', 'display'])
  return (
    <InfoDialog
      title={t('view-code')}
      width="3xl"
      buttons={
        <>
          <Button asChild variant="outline">
            <Link to="/token">{t('to-tokens')}</Link>
          </Button>
          <Button onClick={onClose}>{t('display:action.close')}</Button>
        </>
      }
      onClose={onClose}
    >
      <Stack gap="4">
        <Text textStyle="sm">{t('code-help')}</Text>
        <Code messages={messages} settings={settings} />
      </Stack>
    </InfoDialog>
  )
}

function Code({ messages, settings }: Pick<CodeDialogProps, 'messages' | 'settings'>): ReactNode {
  const { t } = useTranslation('playground')
  const status = useSiteStatus()
  const [format, setFormat] = useState<CodeFormat>('openai')
  const [language, setLanguage] = useState<CodeLanguage>('curl')
  const address = clientAddress(status?.server_address, window.location.origin)
  const body = toApplicationBody(messages, settings, t('example-question'))
  return (
    <Stack gap="3">
      <Flex gap="3" wrap="wrap" align="center">
        <Select
          label={t('code-format')}
          value={format}
          choices={API_FORMATS.map((one) => ({ value: one, label: FORMAT_NAMES[one] }))}
          onChange={(value) => setFormat(API_FORMATS.find((one) => one === value) ?? 'openai')}
        />
        <Flex gap="1" role="group" aria-label={t('code-language')}>
          {LANGUAGES.map((one) => (
            <Button
              key={one}
              size="sm"
              variant={one === language ? 'subtle' : 'ghost'}
              aria-pressed={one === language}
              onClick={() => setLanguage(one)}
            >
              {LANGUAGE_NAMES[one]}
            </Button>
          ))}
        </Flex>
      </Flex>
      <CodeBlock
        code={codeOf({ address, key: 'sk-…', body, format, language })}
        label={`${FORMAT_NAMES[format]} ${LANGUAGE_NAMES[language]}`}
      />
    </Stack>
  )
}
