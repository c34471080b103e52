import { Button, Flex, Text } from '@chakra-ui/react'
import { optionTable } from '@tollgate/contracts/options/registry'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readJson } from '../../ui/form/json-text.ts'
import type { SettingsForm } from '../../ui/settings/settings-section.tsx'

/** Adds links of known chat applications that the list does not have. */
export function ChatPresets({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation('settings')
  const chats = readChats(form.values['Chats'] ?? '')
  if (chats === undefined) return null
  const missing = optionTable.Chats.default.filter((preset) => !chats.some((chat) => nameOf(chat) === nameOf(preset)))
  if (missing.length === 0) return null
  return (
    <Flex wrap="wrap" align="center" gap="2">
      <Text textStyle="sm" color="text.muted">
        {t('chat-presets')}
      </Text>
      {missing.map((preset) => (
        <Button
          key={nameOf(preset)}
          type="button"
          size="sm"
          variant="outline"
          onClick={() => form.set({ Chats: JSON.stringify([...chats, preset], null, 2) })}
        >
          <Plus aria-hidden />
          {nameOf(preset)}
        </Button>
      ))}
    </Flex>
  )
}

type Chat = Readonly<Record<string, unknown>>
const nameOf = (chat: Chat): string => Object.keys(chat)[0] ?? ''

/** Undefined for a text that is no list: the field says what is wrong with it. */
function readChats(text: string): readonly Chat[] | undefined {
  if (text.trim() === '') return []
  const reading = readJson(text)
  if (reading.kind === 'problem' || !Array.isArray(reading.value)) return undefined
  return reading.value.filter((one): one is Chat => typeof one === 'object' && one !== null)
}
