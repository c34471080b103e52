import { chakra } from '@chakra-ui/react'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { useMemo, type ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { toSafeTree } from './safe-tree.ts'

/** HTML written by the operator, without anything that runs. */
export function SafeHtml({ html }: { readonly html: string }): ReactNode {
  const content = useMemo(() => toJsxRuntime(toSafeTree(html), { Fragment, jsx, jsxs, ignoreInvalidStyle: true, passKeys: true }), [html])
  return <chakra.div css={{ '& a': { color: '{colors.accent.fg}', textDecoration: 'underline' } }}>{content}</chakra.div>
}
