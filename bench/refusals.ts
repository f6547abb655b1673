import { MAX_FILE_BYTES } from '../src/domain/ranges.ts'
import { checkoutIn, HERE } from './checkout.ts'
import type { WireRequest } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { type LongestTurn, turnMeter } from './longest-turn.ts'
import { progress } from './progress.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'
import { type Schema, worstBodies, worstFiles } from './worst-bodies.ts'

/** Measures the processor time of refusing the worst bodies and files (`worst-bodies.ts`) and the longest URL. Fails above 50 ms. */
const MAX_MS = 50
const ROUNDS = 5
const BODY_BYTES = 256 * 1024
const AUTH_BODY_BYTES = 4 * 1024
const ADDRESS_BYTES = 15_000
const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const NO_SUCH_ID = '01890000-0000-7000-8000-000000000000'

type Refusal = { readonly operation: string; readonly made: string; readonly request: WireRequest }
type Figure = Refusal & { readonly ms: number; readonly status: number; readonly bytes: number }

const undo: Undo = []
try {
  const { port, longestTurn, headers } = await startService()
  const refusals = (await refusalsAt(port)).map((refusal) => ({
    ...refusal,
    request: { ...refusal.request, headers },
  }))
  const figures: Figure[] = []
  const show = progress('refusals', refusals.length)
  // The first round warms up.
  for (const refusal of refusals) await ask(port, refusal.request)
  for (const refusal of refusals) {
    figures.push(await measured(refusal, port, longestTurn))
    show(figures.length)
  }
  console.log(table(figures))
  if (figures.some(({ ms }) => ms > MAX_MS)) process.exitCode = 1
} finally {
  for (const one of undo.reverse()) await one()
}

async function startService() {
  const checkout = checkoutIn(HERE)
  const env = { DATABASE_URL: await startEmptyPostgres(undo), JWT_SECRET }
  const email = foundSchool(checkout, env, 'Refusals')
  const meter = await turnMeter()
  const { port, stop } = await checkout.serve({ ...env, PORT: '0', ...meter.env })
  undo.push(stop)
  const body = JSON.stringify({ email, password: PASSWORD })
  const login = await ask(port, { method: 'POST', path: '/api/v1/auth/login', body })
  return {
    port,
    longestTurn: meter.read,
    headers: { authorization: `Bearer ${JSON.parse(login.body).token}` },
  }
}

type Operation = {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { $ref: string } }>> }
}

async function refusalsAt(port: number): Promise<readonly Refusal[]> {
  const answer = await ask(port, { method: 'GET', path: '/docs/openapi.json' })
  const { paths, components } = JSON.parse(answer.body)
  const operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return operations.flatMap(({ method, path, operation }) => {
    const at = { method, path: path.replace('{id}', NO_SUCH_ID) }
    const schema = operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''
    const refusal = (made: string, request: WireRequest) => ({
      operation: `${method} ${path}`,
      made,
      request,
    })
    const query = Array.from({ length: ADDRESS_BYTES / 5 }, (_, index) => index.toString(36)).join('&')
    const line = refusal('unknown parameters', { ...at, path: `${at.path}?${query}`.slice(0, ADDRESS_BYTES) })
    if (method === 'GET') return [line]
    const bytes = path.includes('/auth/') ? AUTH_BODY_BYTES : BODY_BYTES
    const bodies = worstBodies((components.schemas[schema] ?? {}) as Schema, bytes)
    const files = path.includes('-imports') ? worstFiles(MAX_FILE_BYTES) : []
    return [line, ...[...bodies, ...files].map(({ name, body }) => refusal(name, { ...at, body }))]
  })
}

/** Returns the processor time of the longest turn of the service's event loop during the refusal. */
async function measured(
  refusal: Refusal,
  port: number,
  longestTurn: () => Promise<LongestTurn>,
): Promise<Figure> {
  await longestTurn()
  let [status, bytes] = [0, 0]
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = await ask(port, refusal.request)
    status = answer.status
    bytes = Buffer.byteLength(answer.body)
  }
  return { ...refusal, ms: (await longestTurn()).processor, status, bytes }
}

async function ask(port: number, { path, headers = {}, ...request }: WireRequest) {
  const type = { 'content-type': 'application/json', 'accept-encoding': 'identity' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...request,
    headers: { ...type, ...headers },
  })
  return { status: answer.status, body: await answer.text() }
}

function table(figures: readonly Figure[]): string {
  const worst = new Map<string, Figure>()
  for (const figure of figures) {
    const known = worst.get(figure.operation)
    if (!known || figure.ms > known.ms) worst.set(figure.operation, figure)
  }
  return [...worst.values()]
    .map(({ operation, made, ms, status, bytes }) =>
      [operation.padEnd(44), `${ms.toFixed(1)} ms`.padStart(9), status, `${bytes} B`.padStart(9), made].join(
        '  ',
      ),
    )
    .join('\n')
}
