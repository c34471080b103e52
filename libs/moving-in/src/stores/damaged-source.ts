/** The database cannot be read as a whole: nothing of it is carried. */
export class DamagedSource extends Error {
  override readonly name = 'DamagedSource'
}
