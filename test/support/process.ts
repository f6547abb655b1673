import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
const PATIENCE_MS = 150_000

/** The folder of the cache that test runs share. */
export const CACHE = join(ROOT, 'node_modules/.cache/fahrplan-tests')

export const JWT_SECRET = 'a secret of the tests, more than 256 bits long'

export type Environment = Readonly<Record<string, string>>

/** The exit code and output of a program. */
export type Exit = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** The real program, of this checkout or of another release, in its own process, with no settings but the test's. Node's cache halves the time of a short command. */
export class Program {
  readonly pid: number
  readonly exited: Promise<Exit>
  #out = ''
  #err = ''
  #hasExited = false
  readonly #child: ChildProcessWithoutNullStreams

  constructor(argv: readonly string[], environment: Environment, input?: string, root = ROOT) {
    // The process lives for seconds: optimizing the embedded database's code costs a third of its time and gains nothing.
    this.#child = spawn(process.execPath, ['--liftoff-only', '--', join(root, 'bin/fahrplan.js'), ...argv], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(CACHE, 'compiled'), ...environment },
    })
    this.pid = this.#child.pid ?? 0
    this.#child.stdout.on('data', (chunk) => {
      this.#out += chunk
    })
    this.#child.stderr.on('data', (chunk) => {
      this.#err += chunk
    })
    this.#child.stdin.on('error', () => undefined)
    this.#child.stdin.end(input)
    this.exited = new Promise((resolve) =>
      this.#child.once('close', (code, signal) => {
        this.#hasExited = true
        resolve({ code, signal, out: this.#out, err: this.#err })
      }),
    )
  }

  /** The output so far: standard output, standard error, and both. */
  get out(): string {
    return this.#out
  }

  get err(): string {
    return this.#err
  }

  get said(): string {
    return this.#out + this.#err
  }

  get isRunning(): boolean {
    return !this.#hasExited
  }

  /** Waits until the output matches. Throws if the program exits first or the wait takes too long. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const { stdout, stderr } = this.#child
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(patience)
        for (const channel of [stdout, stderr]) channel.off('data', look)
        act()
      }
      const fail = (reason: string) =>
        settle(() => reject(new Error(`${reason} before it said ${pattern}:\n${this.said}`)))
      const look = () => {
        const match = pattern.exec(this.said)
        if (match) settle(() => resolve(match))
      }
      const patience = setTimeout(() => fail(`${PATIENCE_MS} ms went by`), PATIENCE_MS)
      for (const channel of [stdout, stderr]) channel.on('data', look)
      void this.exited.then(({ code, signal }) => fail(`it ended with ${code ?? signal}`))
      look()
    })
  }

  /** Waits until the program listens. Returns its address. */
  async url(): Promise<string> {
    const [, url = ''] = await this.says(/(?:Server listening at|Ready:) (http:\/\/[^"\s]+)/)
    return url
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Sends a signal and waits for the exit. */
  async stop(name: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.signal(name)
    return this.exited
  }
}

/** Returns a function that calls `make` on its first call and then always returns that result. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Returns the lines of a text, without the final line break. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Returns the lines of standard error, except the note that a database is being opened, which slow machines print. */
export function complaintsOf({ err }: Exit): readonly string[] {
  return linesOf(err).filter((line) => line !== 'Opening the database …')
}

/** Throws an error with the output unless a program has succeeded without complaints. */
export function requireSuccess(exit: Exit): void {
  const complaints = complaintsOf(exit)
  if (exit.code === 0 && complaints.length === 0) return
  throw new Error(`exit ${exit.code ?? exit.signal}: ${complaints.join('\n')}${exit.out}`)
}

/** The number of ports that each worker chooses from. */
const PORTS = 2_000
const given = new Set<number>()

/**
 * Returns a free port below the range of ephemeral ports, so that no outgoing connection takes it meanwhile. A program listens
 * on it only later: until then no worker may choose it again, so each has ports of its own.
 */
export async function freePort(): Promise<number> {
  const first = 20_000 + PORTS * (Number(process.env.VITEST_POOL_ID ?? 0) % 6)
  const port = randomInt(first, first + PORTS)
  if (given.has(port)) return freePort()
  given.add(port)
  return (await canListen(port)) ? port : freePort()
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** Whether a server accepts connections on a port. */
export function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const answer = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}

/** Polls a condition that no event announces until it is true. Throws after `patienceMs`. */
export async function until(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not so after ${patienceMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
