import { report } from './report.ts'
import { toast } from './toast.ts'

/** Waits for work and says how it went: `text` of its result, or why it failed. */
export async function saying<Result>(work: Promise<Result>, text: (result: Result) => string): Promise<void> {
  try {
    toast.success(text(await work))
  } catch (error) {
    report(error)
  }
}
