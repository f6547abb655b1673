import type { ProblemBody } from '../../contract/problem.ts'
import { fetchApi } from './fetch-api.ts'
import { ApiProblem, type SendOptions, Unreachable } from './send.ts'

/** A line of a response with progress. */
type Line<Progress, Result> = {
  readonly progress?: Progress
  readonly result?: Result
  readonly problem?: ProblemBody
}

const LONGEST_WAIT_MS = 120_000

/** Sends a request that responds with its progress, then its result. Throws `ApiProblem` or `Unreachable`. */
export function fetchLines(path: string, options: SendOptions): Promise<Response> {
  const headers = { ...options.headers, accept: 'application/x-ndjson' }
  return fetchApi(path, { longestWait: LONGEST_WAIT_MS, ...options, headers })
}

/** Reports the progress in a response and returns the result. Throws `ApiProblem` or `Unreachable`. */
export async function resultOf<Progress, Result>(
  answer: Response,
  onProgress: (progress: Progress) => void,
): Promise<Result> {
  for await (const text of linesOf(answer)) {
    const { progress, result, problem }: Line<Progress, Result> = JSON.parse(text)
    if (progress) onProgress(progress)
    if (result) return result
    if (problem) throw new ApiProblem(problem)
  }
  throw new Unreachable()
}

/** Yields whole lines as they arrive. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const part = await reader?.read().catch(() => undefined)
    if (!part || part.done) return
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
