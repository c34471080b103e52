/** Prefix of the paths of the playground. Their answers last as long as a model writes. */
export const PLAYGROUND_PATHS = '/pg/'
