import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LOOK_MS = 50

export async function measureCommand(
  name: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['bin/fahrplan.js', ...argv], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'inherit',
  })
  let peak = ''
  const timer = setInterval(() => {
    peak = peakMemoryOf(child.pid) ?? peak
  }, LOOK_MS)
  const code = await new Promise((ended) => child.once('exit', ended))
  clearInterval(timer)
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s, at most ${peak}, exit ${code}`)
}

function peakMemoryOf(pid: number | undefined): string | undefined {
  try {
    return /^VmHWM:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
