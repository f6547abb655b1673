/** The longest wait for a `Retry-After`, in seconds; a longer one is left to the caller. */
const MAX_WAIT_SECONDS = 10

/** Sends a request, and once more if its response was lost or the service asks for it, where that cannot do a thing twice. */
export async function sendAgain(request: Request, send: typeof fetch): Promise<Response> {
  if (!isRepeatable(request)) return send(request)
  const second = request.clone()
  try {
    const response = await send(request)
    const seconds = waitFor(response)
    if (seconds === undefined) return response
    await response.body?.cancel()
    await pause(seconds, request.signal)
  } catch (error) {
    if (request.signal.aborted) throw error
  }
  return send(second)
}

/** Whether a repetition has the effect of one request: it reads, or its key tells the service that it knows it. */
function isRepeatable({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key')
}

/** Returns the seconds to wait for a service that is overloaded, or that still works on the first request with this key. */
function waitFor({ status, headers }: Response): number | undefined {
  const seconds = headers.get('retry-after')
  if (seconds === null || (status !== 503 && status !== 409)) return undefined
  return Number(seconds) <= MAX_WAIT_SECONDS ? Number(seconds) : undefined
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1_000)
    signal.addEventListener('abort', stop, { once: true })
  })
}
