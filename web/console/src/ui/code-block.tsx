import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** Code to take away, with its copy button. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }): ReactNode {
  return (
    <Box position="relative" bg="subtle" borderWidth="1px" borderColor="border" borderRadius="control" minW="0">
      <chakra.pre
        tabIndex={0}
        aria-label={label}
        m="0"
        px="3"
        py="2.5"
        pe="10"
        overflowX="auto"
        textStyle="mono"
        color="text.strong"
        borderRadius="control"
        focusVisibleRing="inside"
      >
        {code}
      </chakra.pre>
      <Box position="absolute" top="1.5" insetEnd="1.5" bg="subtle" borderRadius="control">
        <CopyButton text={code} />
      </Box>
    </Box>
  )
}
