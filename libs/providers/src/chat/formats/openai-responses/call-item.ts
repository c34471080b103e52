import type { JsonObject } from '../../../json.ts'
import { inputOf } from '../openai-chat/encode-messages.ts'
import { argumentsOf } from '../../call-arguments.ts'
import type { ClientTool } from './client-tools.ts'
import { OutputItem } from './output-item.ts'

export type Called = { readonly call_id: string; readonly name: string; readonly namespace?: string }

/** A function call. */
export class CallItem extends OutputItem {
  readonly #called: Called
  readonly #pieces: string[] = []

  constructor(context: ConstructorParameters<typeof OutputItem>[0], called: Called) {
    super(context)
    this.#called = called
  }

  write(text: string): void {
    this.#pieces.push(this.context.budget.take(text))
    this.context.emit({ type: 'response.function_call_arguments.delta', ...this.here, delta: text })
  }

  protected toJson(status: string): JsonObject {
    return { id: this.context.id, type: 'function_call', status, arguments: this.#pieces.join(''), ...this.#called }
  }

  protected end(): void {
    const { name } = this.#called
    this.context.emit({ type: 'response.function_call_arguments.done', ...this.here, name, arguments: this.#pieces.join('') })
  }
}

/** A call of a free-text tool: its text is sent once its JSON is complete. */
export class CustomCallItem extends OutputItem {
  readonly #called: Called
  readonly #pieces: string[] = []
  #input = ''

  constructor(context: ConstructorParameters<typeof OutputItem>[0], called: Called) {
    super(context)
    this.#called = called
  }

  write(text: string): void {
    this.#pieces.push(this.context.budget.take(text))
  }

  protected toJson(status: string): JsonObject {
    return { id: this.context.id, type: 'custom_tool_call', status, input: this.#input, ...this.#called }
  }

  protected end(): void {
    this.#input = inputOf(this.#pieces.join(''))
    if (this.#input !== '') this.context.emit({ type: 'response.custom_tool_call_input.delta', ...this.here, delta: this.#input })
    this.context.emit({ type: 'response.custom_tool_call_input.done', ...this.here, input: this.#input })
  }
}

/** A call of a tool that OpenAI defines and the client runs: its fields are sent once the arguments are complete. */
export class ClientToolCallItem extends OutputItem {
  readonly #tool: ClientTool
  readonly #call_id: string
  readonly #pieces: string[] = []
  #fields: JsonObject

  constructor(context: ConstructorParameters<typeof OutputItem>[0], tool: ClientTool, call_id: string) {
    super(context)
    this.#tool = tool
    this.#call_id = call_id
    this.#fields = tool.toFields({})
  }

  write(text: string): void {
    this.#pieces.push(this.context.budget.take(text))
  }

  protected toJson(status: string): JsonObject {
    return { id: this.context.id, type: this.#tool.call, status, call_id: this.#call_id, ...this.#fields }
  }

  protected end(): void {
    this.#fields = this.#tool.toFields(argumentsOf(this.#pieces.join('')) ?? {})
  }
}
