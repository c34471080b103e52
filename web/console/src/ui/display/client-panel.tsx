import { Button, chakra, Flex, Grid, Stack, Text } from '@chakra-ui/react'
import { ExternalLink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isWholeKey, type Client, type ClientValues, type Setup, type SetupPart, type System } from '@tollgate/domain/clients/client'
import { CodeBlock } from './code-block.tsx'
import { CopyButton } from './copy-button.tsx'

type PanelProps = { readonly client: Client; readonly values: ClientValues; readonly system: System }

/** How a client is set up: what to do, and the files, commands, fields or links for it. */
export function ClientPanel({ client, values, system }: PanelProps): ReactNode {
  const [chosen, setChosen] = useState(0)
  const setup = client.setups[chosen] ?? client.setups[0]
  const parts = setup.parts(values, system).filter(({ kind }) => kind !== 'links' || isWholeKey(values.key))
  return (
    <Stack gap="2.5">
      <Flex align="center" gap="3" wrap="wrap">
        <Text textStyle="sm" color="text.muted" flex="1" minW="48">
          <Note setup={setup} />
        </Text>
        {client.setups.length < 2 ? null : (
          <Flex gap="1">
            {client.setups.map(({ name }, index) => (
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
      {parts.map((part, index) => (
        <Part key={index} part={part} label={parts.length > 1 ? `${client.name} ${index + 1}` : client.name} />
      ))}
    </Stack>
  )
}

function Note({ setup: { note, install } }: { readonly setup: Setup }): ReactNode {
  const { t } = useTranslation('snippets')
  if (note === 'python' || note === 'node') return t(`note-${note}`, { install: install ?? '' })
  return t(`note-${note}`)
}

function Part({ part, label }: { readonly part: SetupPart; readonly label: string }): ReactNode {
  if (part.kind === 'links') return <Links links={part.links} />
  if (part.kind === 'fields') return <Fields fields={part.fields} />
  return (
    <Stack gap="1">
      {part.file === undefined ? null : (
        <Flex align="center" gap="1">
          <chakra.code fontFamily="mono" textStyle="xs" color="text.muted" overflowWrap="anywhere">
            {part.file}
          </chakra.code>
          <CopyButton text={part.file} />
        </Flex>
      )}
      <CodeBlock code={part.code} label={label} />
    </Stack>
  )
}

type LinksProps = Pick<Extract<SetupPart, { kind: 'links' }>, 'links'>

/** Buttons that open an installed application, which asks before it takes the settings over. */
function Links({ links }: LinksProps): ReactNode {
  const { t } = useTranslation('snippets')
  return (
    <Flex gap="2" wrap="wrap">
      {links.map(({ name, url }) => (
        <Button key={name} asChild variant="outline">
          <a href={url} rel="noreferrer">
            <ExternalLink aria-hidden />
            {t('open-in', { name })}
          </a>
        </Button>
      ))}
    </Flex>
  )
}

type FieldsProps = Pick<Extract<SetupPart, { kind: 'fields' }>, 'fields'>

function Fields({ fields }: FieldsProps): ReactNode {
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
      {fields.map(({ name, value }) => (
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
