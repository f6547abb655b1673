import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { learnDocument } from '../support/client.ts'
import {
  CACHE,
  type Environment,
  type Exit,
  JWT_SECRET,
  Program,
  ROOT,
  requireSuccess,
} from '../support/process.ts'
import { type MadeSchool, makeSchool } from './school.ts'

/** The programs and folders of a test file. At its end, running programs are killed and the folders removed. */
export type Sandbox = {
  readonly start: (argv: readonly string[], environment: Environment, input?: string) => Program
  /** Runs a program to its end. */
  readonly run: (argv: readonly string[], environment: Environment, input?: string) => Promise<Exit>
  /** Starts a service on a free port and waits until it listens. */
  readonly serve: (environment: Environment) => Promise<{ service: Program; url: string }>
  /** Makes an empty folder. */
  readonly folder: () => Promise<string>
  readonly copyOf: (folder: string) => Promise<string>
  /** Copies a data directory with an empty database: making one takes seconds. */
  readonly dataDir: () => Promise<string>
  /** Copies a data directory with a school made by the commands. */
  readonly schoolDir: () => Promise<SchoolDir>
}

type SchoolDir = { readonly DATA_DIR: string; readonly made: MadeSchool }

export function useSandbox(): Sandbox {
  const programs: Program[] = []
  const folders: string[] = []

  beforeAll(learnDocument)
  afterAll(async () => {
    for (const program of programs.filter(({ isRunning }) => isRunning)) await program.stop('SIGKILL')
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  const start: Sandbox['start'] = (argv, environment, input) => {
    const program = new Program(argv, environment, input)
    programs.push(program)
    return program
  }
  const run: Sandbox['run'] = (...line) => start(...line).exited
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
    schoolDir: async () => {
      const { DATA_DIR, made } = await madeSchoolDir(run)
      return { DATA_DIR: await copyOf(DATA_DIR), made }
    },
    serve: async (environment) => {
      const service = start(['serve'], { JWT_SECRET, PORT: '0', ...environment })
      return { service, url: await service.url() }
    },
  }
}

async function madeDataDir(run: Sandbox['run']): Promise<string> {
  return kept('data-dir', async (folder) => requireSuccess(await run(['migrate'], { DATA_DIR: folder })))
}

async function madeSchoolDir(run: Sandbox['run']): Promise<SchoolDir> {
  const [dataDir, school] = ['data', 'school.json']
  const folder = await kept('school-dir', async (fresh) => {
    const DATA_DIR = join(fresh, dataDir)
    await cp(await madeDataDir(run), DATA_DIR, { recursive: true })
    await writeFile(join(fresh, school), JSON.stringify(await makeSchool({ run }, { DATA_DIR })))
  })
  return { DATA_DIR: join(folder, dataDir), made: JSON.parse(await readFile(join(folder, school), 'utf8')) }
}

/** Returns a folder that `fill` has filled, cached until the program changes. */
async function kept(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const path = join(CACHE, `${name}-${fingerprint()}`)
  if (existsSync(path)) return path
  await mkdir(CACHE, { recursive: true })
  const fresh = await mkdtemp(join(CACHE, `${name}-new-`))
  await fill(fresh)
  // Another test file may have made it first.
  await rename(fresh, path).catch(() => rm(fresh, { recursive: true }))
  const ofAnyProgram = new RegExp(`^${name}-[0-9a-f]{16}$`)
  for (const older of readdirSync(CACHE).filter((one) => ofAnyProgram.test(one))) {
    if (join(CACHE, older) !== path) await rm(join(CACHE, older), { recursive: true, force: true })
  }
  return path
}

/** Returns a hash of the program's source and packages. */
function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.ts')).toSorted()) {
    hash.update(file).update(readFileSync(join(ROOT, 'src', file)))
  }
  return hash.digest('hex').slice(0, 16)
}
