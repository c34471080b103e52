import { Button, chakra, Flex, Grid, Stack, Tabs, Text } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientsFor, type Client, type Snippet, type SnippetId, type SnippetInput, type SnippetPart } from '../../lib/client-snippets.ts'
import { CodeBlock } from './code-block.tsx'
import { CopyButton } from './copy-button.tsx'

/** The first request or the settings for each client, with the real address and key filled in. */
export function ClientSnippets({ input }: { readonly input: SnippetInput }): ReactNode {
  const { t } = useTranslation('snippets')
  const clients = clientsFor(input)
  return (
    <Tabs.Root defaultValue="curl" lazyMount unmountOnExit>
      <Tabs.List aria-label={t('clients')}>
        {clients.map(({ id, name }) => (
          <Tabs.Trigger key={id} value={id} flexShrink="0">
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {clients.map((client) => (
        <Tabs.Content key={client.id} value={client.id} pt="3">
          <ClientPanel client={client} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

function ClientPanel({ client }: { readonly client: Client }): ReactNode {
  const [chosen, setChosen] = useState(0)
  const snippet = client.snippets[chosen] ?? client.snippets[0]
  if (snippet === undefined) return null
  return (
    <Stack gap="2.5">
      <Flex align="center" gap="3" wrap="wrap">
        <Text textStyle="sm" color="text.muted" flex="1" minW="48">
          <Note client={client.id} snippet={snippet} />
        </Text>
        {client.snippets.length < 2 ? null : (
          <Flex gap="1">
            {client.snippets.map(({ name }, index) => (
              <Button
                key={name}
                size="xs"
                variant={index === chosen ? 'subtle' : 'ghost'}
                aria-pressed={index === chosen}
                onClick={() => setChosen(index)}
              >
                {name}
              </Button>
            ))}
          </Flex>
        )}
      </Flex>
      {snippet.parts.map((part, index) => (
        <Part key={index} part={part} label={snippet.parts.length > 1 ? `${client.name} ${index + 1}` : client.name} />
      ))}
    </Stack>
  )
}

const INSTALL: Partial<Record<SnippetId, Readonly<Record<'python' | 'node', string>>>> = {
  openai: { python: 'pip install openai', node: 'npm install openai' },
  anthropic: { python: 'pip install anthropic', node: 'npm install @anthropic-ai/sdk' },
  gemini: { python: 'pip install google-genai', node: 'npm install @google/genai' },
}

function Note({ client, snippet: { note } }: { readonly client: SnippetId; readonly snippet: Snippet }): ReactNode {
  const { t } = useTranslation('snippets')
  if (note === 'python' || note === 'node') return t(`note-${note}`, { install: INSTALL[client]?.[note] ?? '' })
  return t(`note-${note}`)
}

function Part({ part, label }: { readonly part: SnippetPart; readonly label: string }): ReactNode {
  if (part.kind === 'code')
    return (
      <Stack gap="1">
        {part.file === undefined ? null : (
          <chakra.code fontFamily="mono" textStyle="xs" color="text.muted">
            {part.file}
          </chakra.code>
        )}
        <CodeBlock code={part.code} label={label} />
      </Stack>
    )
  return (
    <Grid
      as="dl"
      templateColumns={{ base: '1fr auto', sm: 'max-content 1fr auto' }}
      columnGap="4"
      rowGap="1"
      alignItems="center"
      borderWidth="1px"
      borderColor="border"
      borderRadius="control"
      bg="subtle"
      px="3"
      py="2"
      textStyle="sm"
    >
      {part.fields.map(({ name, value }) => (
        <chakra.div key={name} display="contents">
          <chakra.dt color="text.muted" gridColumn={{ base: '1 / -1', sm: 'auto' }}>
            {name}
          </chakra.dt>
          <chakra.dd minW="0" fontFamily="mono" textStyle="xs" color="text.strong" overflowWrap="anywhere">
            {value}
          </chakra.dd>
          <chakra.dd>
            <CopyButton text={value} />
          </chakra.dd>
        </chakra.div>
      ))}
    </Grid>
  )
}
