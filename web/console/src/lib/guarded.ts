/** Runs a change that the server accepts only from a session that proved its owner, and asks for the proof when it is missing. */
export type Guarded = <T>(work: () => Promise<T>) => Promise<T>
