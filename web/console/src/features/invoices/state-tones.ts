export const STATE_TONES = { waiting: 'grey', running: 'blue', done: 'green', failed: 'red', cancelled: 'grey' } as const
