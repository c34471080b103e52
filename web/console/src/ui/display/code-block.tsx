import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** Code to take away, with its copy button. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }): ReactNode {
  return (
    <Box display="flex" alignItems="flex-start" bg="subtle" borderWidth="1px" borderColor="border" borderRadius="control" minW="0">
      <chakra.pre
        tabIndex={0}
        aria-label={label}
        m="0"
        px="3"
        py="2.5"
        flex="1"
        minW="0"
        overflowX="auto"
        textStyle="mono"
        color="text.strong"
        borderRadius="control"
        focusVisibleRing="inside"
      >
        {code}
      </chakra.pre>
      <Box flexShrink="0" p="1.5">
        <CopyButton text={code} />
      </Box>
    </Box>
  )
}
