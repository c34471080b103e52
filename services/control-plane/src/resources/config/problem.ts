import type { ConfigProblem } from '@tollgate/contracts/resources/config'

export type Place = Pick<ConfigProblem, 'file' | 'path'>

/** A reason why a record of a file cannot be applied, at a place below the record. */
export class ConfigProblemError extends Error {
  readonly path: ConfigProblem['path']
  constructor(message: string, path: ConfigProblem['path'] = []) {
    super(message)
    this.name = 'ConfigProblemError'
    this.path = path
  }
}
