import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { learnDocument } from '../support/client.ts'
import { CACHE, type Environment, type Exit, JWT_SECRET, Program, ROOT } from '../support/process.ts'

/** Programs and folders of a test file; what is left of them when the file has ended is stopped and removed. */
export type Workshop = {
  readonly start: (argv: readonly string[], environment: Environment, input?: string) => Program
  /** Runs a program to its end. */
  readonly run: (argv: readonly string[], environment: Environment, input?: string) => Promise<Exit>
  /** Starts a service on a free port and waits until it listens. */
  readonly serve: (environment: Environment) => Promise<{ service: Program; url: string }>
  /** An empty folder. */
  readonly folder: () => Promise<string>
  readonly copyOf: (folder: string) => Promise<string>
  /** A data directory with an empty database: a copy, for making one takes seconds. */
  readonly dataDir: () => Promise<string>
}

export function useWorkshop(): Workshop {
  const programs: Program[] = []
  const folders: string[] = []

  beforeAll(learnDocument)
  afterAll(async () => {
    for (const program of programs.filter(({ isRunning }) => isRunning)) await program.stop('SIGKILL')
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  const start: Workshop['start'] = (argv, environment, input) => {
    const program = new Program(argv, environment, input)
    programs.push(program)
    return program
  }
  const run: Workshop['run'] = (...line) => start(...line).exited
  const folder = async () => {
    const path = await mkdtemp(join(tmpdir(), 'fahrplan-cli-'))
    folders.push(path)
    return path
  }
  const copyOf = async (original: string) => {
    const path = await folder()
    await cp(original, path, { recursive: true })
    return path
  }
  return {
    start,
    run,
    folder,
    copyOf,
    dataDir: async () => copyOf(await madeDataDir(run)),
    serve: async (environment) => {
      const service = start(['serve'], { JWT_SECRET, PORT: '0', ...environment })
      return { service, url: await service.url() }
    },
  }
}

/** A data directory that this very program has made, kept until the program changes. */
async function madeDataDir(run: Workshop['run']): Promise<string> {
  const kept = join(CACHE, `data-dir-${fingerprint()}`)
  if (existsSync(kept)) return kept
  await mkdir(CACHE, { recursive: true })
  const fresh = await mkdtemp(join(CACHE, 'data-dir-new-'))
  const { code, err } = await run(['migrate'], { DATA_DIR: fresh })
  if (code !== 0) throw new Error(err)
  // Another test file may have been quicker.
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }))
  for (const older of readdirSync(CACHE).filter((name) => /^data-dir-[0-9a-f]+$/.test(name))) {
    if (join(CACHE, older) !== kept) await rm(join(CACHE, older), { recursive: true, force: true })
  }
  return kept
}

/** Changes with the program's source and its packages. */
function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.ts')).toSorted()) {
    hash.update(file).update(readFileSync(join(ROOT, 'src', file)))
  }
  return hash.digest('hex').slice(0, 16)
}
