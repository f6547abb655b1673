const WIDTH = 30
const CLEAR_LINE = '\r\x1b[K'

export function barFor(done: number, total: number): string {
  const part = Math.min(1, total > 0 ? done / total : 1)
  const filled = Math.round(WIDTH * part)
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${`${Math.floor(100 * part)} %`.padStart(5)}`
}

export function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${barFor(done, total)}`)
}

export function hideProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
}
