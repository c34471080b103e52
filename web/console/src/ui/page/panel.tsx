import { chakra, Flex, Heading, Text } from '@chakra-ui/react'
import { useId, type ReactNode } from 'react'

type PanelProps = {
  readonly title: string
  /** One line under the title. */
  readonly help?: ReactNode
  /** Buttons beside the title. */
  readonly action?: ReactNode
  /** Lines of the content reach the border: rows, tables. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

/** A part of a page in a box of its own: title, one line of help, action, content. */
export function Panel({ title, help, action, isFlush = false, children }: PanelProps): ReactNode {
  const id = useId()
  return (
    <chakra.section aria-labelledby={id} bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" minW="0">
      <Flex
        align="center"
        justify="space-between"
        gap="3"
        wrap="wrap"
        px="4"
        py="2.5"
        minH="13"
        borderBottomWidth="1px"
        borderColor="border"
      >
        <chakra.div minW="0">
          <Heading id={id} as="h2" textStyle="section" color="text.strong">
            {title}
          </Heading>
          {help === undefined ? null : (
            <Text textStyle="xs" color="text.muted">
              {help}
            </Text>
          )}
        </chakra.div>
        {action === undefined ? null : (
          <Flex gap="2" wrap="wrap">
            {action}
          </Flex>
        )}
      </Flex>
      <chakra.div {...(isFlush ? {} : { px: '4', py: '4' })}>{children}</chakra.div>
    </chakra.section>
  )
}

/** A line of a panel: what it is, what is known about it, and a button. */
export function PanelRow({
  title,
  children,
  action,
}: {
  readonly title: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <Flex align="center" gap="3" wrap="wrap" rowGap="2" px="4" py="3" _notLast={{ borderBottomWidth: '1px', borderColor: 'border' }}>
      <chakra.div flex="1" minW="12rem">
        <Text as="div" color="text.strong" fontWeight="medium">
          {title}
        </Text>
        {children === undefined ? null : (
          <chakra.div textStyle="sm" color="text.muted" overflowWrap="anywhere">
            {children}
          </chakra.div>
        )}
      </chakra.div>
      {action}
    </Flex>
  )
}
