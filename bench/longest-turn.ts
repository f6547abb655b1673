import { join } from 'node:path'
import { freePort } from '../test/support/process.ts'

/** The longest turn of a service's event loop in milliseconds: elapsed (at least ten, the metric's interval) and processor time. */
export type LongestTurn = { readonly elapsed: number; readonly processor: number }

/** Returns the environment of a service to measure, and a function that reads its longest turn since the last call. */
export async function turnMeter() {
  const [metricsPort, meterPort] = [await freePort(), await freePort()]
  const env = {
    METRICS_PORT: String(metricsPort),
    TURN_METER_PORT: String(meterPort),
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'turn-meter.ts')}`,
  }
  const textAt = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  const read = async (): Promise<LongestTurn> => {
    const [metrics, processor] = [await textAt(metricsPort, '/metrics'), await textAt(meterPort, '/')]
    const elapsed = Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) * 1000
    return { elapsed, processor: Number(processor) }
  }
  return { env, read }
}
