/** Ends the program with a list if something unknown is requested: measuring nothing is no success. */
export function requireKnown(option: string, asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.filter((one) => !known.includes(one))
  if (unknown.length === 0) return
  console.error(`--${option}: there is no "${unknown.join('", "')}". There are:\n${known.join('\n')}`)
  process.exit(1)
}
