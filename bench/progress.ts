import { barFor } from '../src/cli/progress-bar.ts'

const MS_BETWEEN_LINES = 5_000

/** Shows progress on stderr: a bar in a terminal, a line now and then in a pipe. */
export function progress(label: string, total: number): (done: number) => void {
  const isTerminal = process.stderr.isTTY
  let lastShown = 0
  return (done) => {
    const isOver = done >= total
    if (!isTerminal && !isOver && performance.now() - lastShown < MS_BETWEEN_LINES) return
    lastShown = performance.now()
    const bar = `${isTerminal ? '\r\x1b[K' : ''}${barFor(done, total)}`
    process.stderr.write(`${bar}  ${label}${isTerminal && !isOver ? '' : '\n'}`)
  }
}
