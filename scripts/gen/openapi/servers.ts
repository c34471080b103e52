/** One address serves relay and control plane. */
export const SERVERS = [
  {
    url: '{address}',
    description: 'An installation',
    variables: { address: { default: 'http://localhost:3000', description: 'Where it answers' } },
  },
]
