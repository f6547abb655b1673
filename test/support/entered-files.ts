import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { ROOT } from './process.ts'

const SOURCE = join(ROOT, 'src')

/** Returns the source files with a function that ran during the work, by precise coverage of V8; code of a module itself does not count. */
export async function filesEnteredBy(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  const entered = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  return new Set(
    entered
      .map(({ url }) => url.replace(/^file:\/\//, ''))
      .filter((path) => path.startsWith(SOURCE))
      .map((path) => path.slice(SOURCE.length + 1)),
  )
}
