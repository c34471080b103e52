import { Box, Flex, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'

type PageProps = {
  readonly title: string
  /** How many there are, beside the title; a text where that is not known to the last one. */
  readonly count?: number | string | undefined
  /** One primary action, perhaps with quiet ones before it. */
  readonly action?: ReactNode
  /** One line under the title. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** The frame of a console page: `title · count · action`, then whatever the page is about. */
export function Page({ title, count, action, lead, children }: PageProps): ReactNode {
  usePageTitle(title)
  return (
    <Flex direction="column" gap="4" w="full" minW="0">
      <Flex align="flex-start" justify="space-between" gap="3" wrap="wrap" rowGap="2">
        <Box minW="0">
          <Flex align="baseline" gap="2.5">
            <Heading as="h1" textStyle="title" color="text.strong">
              {title}
            </Heading>
            {/* On a phone the pager says it; beside the title, it would push the actions down when it arrives. */}
            {count === undefined ? null : (
              <Text textStyle="sm" color="text.muted" fontVariantNumeric="tabular-nums" hideBelow="sm">
                {count}
              </Text>
            )}
          </Flex>
          {lead === undefined ? null : (
            <Box textStyle="sm" color="text.muted" mt="0.5">
              {lead}
            </Box>
          )}
        </Box>
        {action === undefined ? null : (
          <Flex align="center" gap="2" wrap="wrap">
            {action}
          </Flex>
        )}
      </Flex>
      {children}
    </Flex>
  )
}
