import { chakra, Flex, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBrand } from '../../lib/status.ts'

/** Logo and name, leading home. */
export function Brand(): ReactNode {
  const { name, logo } = useBrand()
  return (
    <Flex asChild align="center" gap="2" minW="0" borderRadius="control" focusVisibleRing="outside" flexShrink="1">
      <Link to="/">
        <chakra.img src={logo} alt="" boxSize="6" borderRadius="sm" objectFit="contain" flexShrink="0" />
        <Text as="span" textStyle="section" color="text.strong" truncate>
          {name}
        </Text>
      </Link>
    </Flex>
  )
}
