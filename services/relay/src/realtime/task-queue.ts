type Task = () => Promise<void> | void

/** Runs tasks in order, one at a time; a task starts synchronously when the queue is empty. */
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
