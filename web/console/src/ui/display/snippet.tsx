import { Tabs } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'

export type SnippetTab = { readonly id: string; readonly label: string; readonly code: string }

/** The same thing in several languages or tools, each in a tab with its copy button; arrow keys move between them. */
export function Snippet({ label, tabs }: { readonly label: string; readonly tabs: readonly SnippetTab[] }): ReactNode {
  return (
    <Tabs.Root defaultValue={tabs[0]?.id ?? ''} size="sm" lazyMount>
      <Tabs.List aria-label={label} overflowX="auto">
        {tabs.map(({ id, label: name }) => (
          <Tabs.Trigger key={id} value={id} flexShrink="0">
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ id, label: name, code }) => (
        <Tabs.Content key={id} value={id}>
          <CodeBlock code={code} label={name} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
