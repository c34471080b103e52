import { Box, Flex, Heading, type BoxProps } from '@chakra-ui/react'
import type { ReactNode } from 'react'

type PanelProps = Omit<BoxProps, 'title'> & {
  readonly title?: ReactNode
  readonly action?: ReactNode
  /** A table fills the panel to its edge. */
  readonly flush?: boolean
}

/** A surface on the canvas: hairline border, radius 8, no shadow. */
export function Panel({ title, action, flush = false, children, ...rest }: PanelProps): ReactNode {
  return (
    <Box bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" overflow="hidden" minW="0" {...rest}>
      {title === undefined && action === undefined ? null : (
        <Flex align="center" justify="space-between" gap="3" minH="11" px="4" py="1.5" borderBottomWidth="1px" borderColor="border">
          <Heading as="h2" textStyle="section" color="text.strong">
            {title}
          </Heading>
          {action}
        </Flex>
      )}
      <Box p={flush ? '0' : '4'}>{children}</Box>
    </Box>
  )
}
