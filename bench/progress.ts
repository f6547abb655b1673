const WIDTH = 30
const MS_BETWEEN_LINES = 5_000

/** Shows on stderr how far a long work has come: a bar in a terminal, a line now and then in a pipe. */
export function progress(label: string, total: number): (done: number) => void {
  const isTerminal = process.stderr.isTTY
  let lastShown = 0
  return (done) => {
    const isOver = done >= total
    if (!isTerminal && !isOver && performance.now() - lastShown < MS_BETWEEN_LINES) return
    lastShown = performance.now()
    const filled = Math.round((WIDTH * done) / total)
    const bar = isTerminal ? `\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ` : ''
    const percent = `${Math.floor((100 * done) / total)} %`.padStart(5)
    process.stderr.write(`${bar}${percent}  ${label}${isTerminal && !isOver ? '' : '\n'}`)
  }
}
