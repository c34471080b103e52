/** What the paths of the playground begin with. Their answers last as long as a model writes. */
export const PLAYGROUND_PATHS = '/pg/'
