type Task = () => Promise<void> | void

/** Tasks one after the other, in the order they came; one that needs no waiting runs at once. */
export class TaskQueue {
  readonly #tasks: Task[] = []
  readonly #onError: (error: unknown) => Promise<void>
  #isBusy = false

  constructor(onError: (error: unknown) => Promise<void>) {
    this.#onError = onError
  }

  add(task: Task): void {
    this.#tasks.push(task)
    if (!this.#isBusy) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      try {
        await task()
      } catch (error) {
        await this.#onError(error)
      }
    }
    this.#isBusy = false
  }
}
