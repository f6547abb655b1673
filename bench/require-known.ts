/** Ends the program and lists what there is if something unknown is requested: a bench that measures nothing is not a success. */
export function requireKnown(option: string, asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.filter((one) => !known.includes(one))
  if (unknown.length === 0) return
  console.error(`--${option}: there is no "${unknown.join('", "')}". There are:\n${known.join('\n')}`)
  process.exit(1)
}
