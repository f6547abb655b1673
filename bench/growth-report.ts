/** The time of one operation on each size: milliseconds (p50, median of the rounds) and the ratio to the base size. */
export type GrowthRow = {
  readonly name: string
  readonly p50: Readonly<Record<string, number>>
  readonly ratio: Readonly<Record<string, number>>
}

export function growthTable(rows: readonly GrowthRow[], sizes: readonly string[], base: string): string {
  const head = ['p50 in ms', ...sizes.flatMap((size) => (size === base ? [size] : [size, `/ ${base}`]))]
  const body = rows.map(({ name, p50, ratio }) => [
    name,
    ...sizes.flatMap((size) => {
      const time = (p50[size] ?? 0).toFixed(2)
      return size === base ? [time] : [time, `${(ratio[size] ?? 0).toFixed(2)}×`]
    }),
  ])
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...body.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...body.map(line)].join('\n')
}
