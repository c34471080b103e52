import type { GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'

/** Prompt and answer of a request on their way into its trace. */
export type ContentRecording = {
  /** Reads the prompt, before its body is dropped. */
  readPrompt(): void
  /** Both, once the answer was sent. */
  end(): Promise<RecordedContent>
}

export type RecordedContent = { readonly input: GenAiMessages | undefined; readonly output: GenAiMessages | undefined }
