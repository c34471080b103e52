import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react'
import { Link, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type MessagePageProps = {
  readonly icon: ReactNode
  readonly title: string
  readonly help: string
  /** Instead of the way home. */
  readonly children?: ReactNode
}

/** A page that is one message: what is the matter, and a way on. Inside the console the layout has the main landmark already. */
export function MessagePage({ icon, title, help, children }: MessagePageProps): ReactNode {
  const { t } = useTranslation('common')
  const isInConsole = useMatches({ select: (matches) => matches.some((match) => match.routeId === '/_app') })
  return (
    <Flex
      {...(isInConsole ? {} : { as: 'main', id: 'content' })}
      direction="column"
      align="center"
      justify="center"
      flex="1"
      textAlign="center"
      gap="2"
      px="4"
      py={{ base: '16', sm: '24' }}
    >
      <Flex
        align="center"
        justify="center"
        boxSize="11"
        mb="2"
        borderRadius="panel"
        borderWidth="1px"
        borderColor="border"
        bg="panel"
        color="text.muted"
      >
        {icon}
      </Flex>
      <Heading as="h1" textStyle="title" color="text.strong">
        {title}
      </Heading>
      <Text color="text.muted" maxW="md">
        {help}
      </Text>
      <Box mt="4">
        {children ?? (
          <Button asChild variant="outline">
            <Link to="/">{t('go-home')}</Link>
          </Button>
        )}
      </Box>
    </Flex>
  )
}
