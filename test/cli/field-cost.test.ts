import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../support/process.ts'

const MINUTES = 900_000
const FIELDS = 'src/domain/student-fields.ts'
const MIGRATION = 'src/db/migrations/9999-guardians.ts'
const SCHEMA = 'src/db/schema/schema.json'

/** The files that a new field of a student changes. A change that needs another one says so in ADR 0103. */
const COST = [MIGRATION, SCHEMA, FIELDS]

let copy: string
let files: readonly string[]

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'field-cost-'))
  files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '')
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const environment = { ...process.env, VITEST: undefined, VITEST_MODE: undefined }
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: copy, env: environment }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, out: out + err }),
    )
  })
}

async function pass(running: ReturnType<typeof run>): Promise<void> {
  const { code, out } = await running
  expect(code, out).toBe(0)
}

function tests(project: string, ...paths: readonly string[]) {
  return run('node_modules/vitest/vitest.mjs', 'run', '--project', project, ...paths)
}

function write(file: string, text: string): void {
  writeFileSync(join(copy, file), text)
}

const FIELD = `  guardian: {
    kind: 'line',
    isNullable: true,
    label: { de: 'Erziehungsberechtigte', en: 'Guardian' },
    about: 'Who signs for the student; null for nobody.',
  },
  notes: {`

const MIGRATE = `import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table students add column guardian text\`.execute(db)
}
`

const FLOW = `import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

it('stores the field, and has it in history, export and import', async () => {
  const school = await aSchool(service())
  const { client } = school
  const { id } = await school.student({ guardian: 'Ada Vogt' })
  must(200, await client.patch(\`/students/\${id}\`, { guardian: 'Ida Vogt' }))
  expect(must(200, await client.get(\`/students/\${id}\`))).toMatchObject({ guardian: 'Ida Vogt' })
  const [change] = must(200, await client.get(\`/students/\${id}/history\`)) as unknown as { before: unknown }[]
  expect(change?.before).toMatchObject({ guardian: 'Ada Vogt' })
  const file = await fetch(\`\${service().url}/api/v1/exports/students.csv\`, { headers: client.headers })
  expect(await file.text()).toMatch(/Erziehungsberechtigte[^]*Ida Vogt/)
  const lines = 'Vorname;Nachname;Erziehungsberechtigte\\nMia;Groß;Eva Groß'
  must(200, await client.post('/student-imports', { file: Buffer.from(lines).toString('base64') }))
  const all = must(200, await client.get('/students')) as unknown as { guardian: string }[]
  expect(all.map(({ guardian }) => guardian)).toContain('Eva Groß')
})
`

it('a field of a student without its migration is named by a unit test', { timeout: MINUTES }, async () => {
  const fields = readFileSync(join(copy, FIELDS), 'utf8')
  write(FIELDS, fields.replace('  notes: {', FIELD))
  const { code, out } = await tests('unit', 'src/db/schema/described-columns.test.ts')
  expect({ code, isNamed: out.includes('guardian') }).toEqual({ code: 1, isNamed: true })
})

it('a field of a student costs its line, its migration and the schema', { timeout: MINUTES }, async () => {
  write(MIGRATION, MIGRATE)
  await pass(run('test/doctor/write-schema.ts'))
  const compiler = 'node_modules/typescript/bin/tsc'
  await pass(run(compiler, '--noEmit'))
  await pass(run(compiler, '--noEmit', '-p', 'src/web'))
  await pass(tests('unit', 'src/db/schema', 'src/csv'))
  write('test/http/field.test.ts', FLOW)
  await pass(tests('embedded', 'test/http/field.test.ts'))
  rmSync(join(copy, 'test/http/field.test.ts'))
  const changed = [
    ...files,
    ...readdirSync(join(copy, 'src/db/migrations')).map((name) => `src/db/migrations/${name}`),
  ].filter(
    (file) =>
      !files.includes(file) || readFileSync(join(copy, file)).compare(readFileSync(join(ROOT, file))) !== 0,
  )
  expect(changed.toSorted()).toEqual(COST.toSorted())
})
