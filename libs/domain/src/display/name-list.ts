/** At most so many names; a mark stands for the others. */
export const nameList = (names: readonly string[], most: number): string =>
  [...names.slice(0, most), ...(names.length > most ? ['…'] : [])].join(', ')
