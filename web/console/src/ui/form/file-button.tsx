import { Button, chakra, Text } from '@chakra-ui/react'
import { useRef, type ReactNode } from 'react'

type FileButtonProps = {
  /** The name of the hidden input. */
  readonly label: string
  /** The button's text. */
  readonly text: string
  /** As the attribute `accept` of an input. */
  readonly accept: string
  readonly onFile: (file: File) => void
}

/** Opens the browser's choice of a file; the same file can be chosen again. */
export function FileButton({ label, text, accept, onFile }: FileButtonProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) onFile(file)
          currentTarget.value = ''
        }}
      />
      <Button type="button" variant="outline" onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  )
}

/** The same with the name of the chosen file beside it. */
export function FileRow({ chosen, ...button }: FileButtonProps & { readonly chosen: string }): ReactNode {
  return (
    <chakra.div display="flex" gap="3" alignItems="center" flexWrap="wrap">
      <FileButton {...button} />
      <Text color="text.muted" overflowWrap="anywhere">
        {chosen}
      </Text>
    </chakra.div>
  )
}
