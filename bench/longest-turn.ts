/** Returns the longest turn of the event loop since the last call, in milliseconds; never below ten, the metric's interval. */
export async function longestTurn(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) * 1000
}
