import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useBrand } from '../../lib/status.ts'

type EntranceProps = {
  readonly title: string
  /** Between the title and the box: a warning. */
  readonly notice?: ReactNode
  /** Below the box: the ways to the neighbouring pages. */
  readonly links?: ReactNode
  readonly children: ReactNode
}

/** A page before sign-in: the site's logo, a title, and one box in the middle. */
export function Entrance({ title, notice, links, children }: EntranceProps): ReactNode {
  const { logo } = useBrand()
  return (
    <Flex as="main" id="content" flex="1" align="center" justify="center" px="4" py="10">
      <Box w="full" maxW="sm">
        <Flex direction="column" align="center" gap="3" mb="6">
          <chakra.img src={logo} alt="" boxSize="10" borderRadius="panel" objectFit="contain" />
          <Heading as="h1" textStyle="title" color="text.strong" textAlign="center">
            {title}
          </Heading>
        </Flex>
        {notice}
        <Box bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" p={{ base: '5', sm: '6' }}>
          {children}
        </Box>
        {links === undefined ? null : (
          <Text as="div" mt="4" textStyle="sm" color="text.muted" textAlign="center">
            {links}
          </Text>
        )}
      </Box>
    </Flex>
  )
}
