import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'

/** A part of the explanation under its name. */
export function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }): ReactNode {
  return (
    <chakra.section display="flex" flexDirection="column" gap="2">
      <chakra.div>
        <chakra.h3 textStyle="section" color="text.strong">
          {title}
        </chakra.h3>
        {help === undefined ? null : (
          <chakra.p textStyle="xs" color="text.muted">
            {help}
          </chakra.p>
        )}
      </chakra.div>
      {children}
    </chakra.section>
  )
}
